import { useState } from 'preact/hooks';
import type { Tagged } from '../../client/api.js';
import { api, body } from '../../client/api.js';
import { ifMatch, useCommand } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { Form } from '../../parts/form.js';
import { useRecordForm, useSaving } from '../../parts/record-form.js';
import { Shown } from '../../parts/shown.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import type { Configuration, Machine } from './configuration.js';
import { KINDS, readMachine, useMachine } from './configuration.js';
import type { Cells } from './rates.js';
import {
  brandRates,
  cellsOf,
  copiedCells,
  filledFrom,
  paymentsOf,
  placeOf,
  touchedBrands,
  usualRates,
  wrongWithRate,
} from './rates.js';
import { words } from './words.js';

/** What a machine takes, by payment and brand. */
export function RateGrid({
  configuration,
  machine,
}: {
  readonly configuration: Configuration;
  readonly machine: Pick<Machine, 'id'>;
}) {
  const reading = useMachine(machine.id);
  return (
    <Shown reading={reading} fillsView>
      {(found) => <OwnRates configuration={configuration} machine={found} />}
    </Shown>
  );
}

function OwnRates({
  configuration,
  machine,
}: {
  readonly configuration: Configuration;
  readonly machine: Tagged<Machine>;
}) {
  const t = useWords(words);
  const may = useMay();
  const columns = [{ id: '', name: t('usual') }, ...configuration.brands.filter(({ active }) => active)];
  const rows = paymentsOf(configuration).map((id) => ({ id, name: id === 'd' ? t('debit') : t('credit', { n: id }) }));
  const cellName = (place: string) => {
    const [brandId, payment] = place.split('/');
    const named = (of: readonly { readonly id: string; readonly name: string }[], id: string | undefined) =>
      of.find((one) => one.id === id)?.name ?? '–';
    return t('cell', { row: named(rows, payment), brand: named(columns, brandId) });
  };
  const form = useRecordForm(machine, (record) => cellsOf(record, configuration), cellName);
  const save = useCommand({
    send: (cells: Cells, headers) =>
      sendColumns({ id: machine.record.id, etag: form.etag }, touchedBrands(form.before, cells), cells, headers),
    kinds: KINDS,
    onDone: (answer, sent) => {
      form.saved(sent, answer);
    },
  });
  const canManage = may('cardFees.manage');
  /** A sheet of paper has no room for all brands that there are: it has those with rates. */
  const onScreenOnly = (brandId: string): string =>
    brandId === '' || rows.some(({ id }) => (form.values[placeOf(brandId, id)] ?? '') !== '') ? '' : 'no-print';
  /** What the cells held before a spreadsheet filled them; a size where it did not fit. */
  const [pasted, setPasted] = useState<{ readonly before: Cells } | { readonly size: string }>();
  const paste = (place: string, text: string): boolean => {
    const copied = copiedCells(text);
    if (!copied) return false;
    const filled = filledFrom(
      place,
      copied,
      columns.map(({ id }) => id),
      rows.map(({ id }) => id),
    );
    if (filled) {
      setPasted({ before: Object.fromEntries(Object.keys(filled).map((one) => [one, form.values[one] ?? ''])) });
      form.change(filled);
    } else {
      setPasted({ size: `${String(copied.length)} × ${String(Math.max(...copied.map((cells) => cells.length)))}` });
    }
    return true;
  };
  return (
    <Form
      sending={save}
      {...useSaving(form, save, canManage)}
      form={form}
      conflict={form.conflict}
      onSubmit={() => {
        save.mutate(form.values);
      }}
    >
      <p class="lead">{t('gridLead')}</p>
      <div class="table-frame" tabIndex={0} role="group" aria-label={t('rates')}>
        <table class="table compared rates">
          <thead>
            <tr>
              <th scope="col">{t('kind')}</th>
              {columns.map(({ id, name }) => (
                <th key={id} scope="col" class={onScreenOnly(id)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">{row.name}</th>
                {columns.map(({ id }) => (
                  <td key={id} class={onScreenOnly(id)}>
                    <RateCell
                      label={cellName(placeOf(id, row.id))}
                      disabled={!canManage}
                      value={form.values[placeOf(id, row.id)] ?? ''}
                      onValue={(typed) => {
                        form.set(placeOf(id, row.id), typed);
                      }}
                      onPaste={(text) => paste(placeOf(id, row.id), text)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pasted && 'size' in pasted && (
        <p class="note bad" role="alert">
          {t('pastedTooMuch', { size: pasted.size })}
        </p>
      )}
      {pasted && 'before' in pasted && (
        <p class="note" role="status">
          {t('pasted', { n: Object.keys(pasted.before).length })}{' '}
          <Button
            look="quiet"
            onClick={() => {
              form.change(pasted.before);
              setPasted(undefined);
            }}
          >
            {t('undo')}
          </Button>
        </p>
      )}
    </Form>
  );
}

/** Each column is a change of its own, of the machine that the one before has left. */
async function sendColumns(
  machine: Pick<Machine, 'id'> & Pick<Tagged<Machine>, 'etag'>,
  brandIds: readonly string[],
  cells: Cells,
  headers: Record<string, string>,
): Promise<Pick<Tagged<Machine>, 'etag'>> {
  const params = { path: { accountId: machine.id } };
  let tag: Pick<Tagged<Machine>, 'etag'> = machine;
  for (const brandId of brandIds) {
    const key = { 'Idempotency-Key': `${headers['Idempotency-Key'] ?? ''}${brandId}` };
    const own = ifMatch({ ...headers, ...key }, tag);
    if (brandId === '') {
      await body(api.PATCH('/card-fees/accounts/{accountId}', { params, body: usualRates(cells), headers: own }));
    } else {
      const rates = { cardBrandId: brandId, rates: brandRates(cells, brandId) };
      await body(api.PUT('/card-fees/accounts/{accountId}/brand-rates', { params, body: rates, headers: own }));
    }
    tag = await readMachine(machine.id);
  }
  return tag;
}

interface CellProps {
  readonly label: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly onValue: (typed: string) => void;
  /** Whether what is pasted filled cells, and is not to be typed into this one. */
  readonly onPaste: (text: string) => boolean;
}

/** Says beside the field what is no rate: it is never taken for none. */
function RateCell({ label, value, disabled, onValue, onPaste }: CellProps) {
  const t = useWords(words);
  const shared = useWords(frame);
  const reason = wrongWithRate(value);
  const wrong = reason === undefined ? '' : reason === 'notANumber' ? shared(reason) : t(reason);
  return (
    <>
      <input
        ref={(input) => {
          input?.setCustomValidity(wrong);
        }}
        class="figure"
        inputMode="decimal"
        autocomplete="off"
        aria-label={label}
        aria-invalid={wrong !== ''}
        disabled={disabled}
        value={value}
        onPaste={(event) => {
          if (onPaste(event.clipboardData?.getData('text') ?? '')) event.preventDefault();
        }}
        onInput={({ currentTarget }) => {
          onValue(currentTarget.value);
        }}
      />
      {wrong !== '' && (
        <span class="field-wrong" role="alert">
          {wrong}
        </span>
      )}
    </>
  );
}
