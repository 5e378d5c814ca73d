import { api, body } from '../../client/api.js';
import { useCommand } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Form } from '../../parts/form.js';
import { usePartForm, useSaving } from '../../parts/record-form.js';
import { readNumber } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import type { Configuration, Machine } from './configuration.js';
import { KINDS } from './configuration.js';
import type { Cells } from './rates.js';
import { brandRates, cellsOf, isRate, paymentsOf, placeOf, touchedBrands, usualRates } from './rates.js';
import { words } from './words.js';

/** What a machine takes, by payment and brand. */
export function RateGrid({
  configuration,
  machine,
}: {
  readonly configuration: Configuration;
  readonly machine: Machine;
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
  const present = cellsOf(machine, configuration);
  const form = usePartForm(present, cellName);
  const save = useCommand({
    send: (cells: Cells, headers) => sendColumns(machine.id, touchedBrands(present, cells), cells, headers),
    kinds: KINDS,
    onDone: (_, sent) => {
      form.saved(sent);
    },
  });
  const canManage = may('cardFees.manage');
  const saving = useSaving(form, save, canManage);
  return (
    <Form
      sending={save}
      {...saving}
      form={form}
      conflict={form.conflict}
      disabled={saving.disabled || form.conflict !== undefined}
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
                <th key={id} scope="col">
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
                  <td key={id}>
                    <RateCell
                      label={cellName(placeOf(id, row.id))}
                      disabled={!canManage}
                      value={form.values[placeOf(id, row.id)] ?? ''}
                      onValue={(typed) => {
                        form.set(placeOf(id, row.id), typed);
                      }}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Form>
  );
}

/** Each column is a change of its own. */
async function sendColumns(
  accountId: string,
  brandIds: readonly string[],
  cells: Cells,
  headers: Record<string, string>,
): Promise<void> {
  const path = { accountId };
  for (const brandId of brandIds) {
    const own = { ...headers, 'Idempotency-Key': `${headers['Idempotency-Key'] ?? ''}${brandId.slice(0, 8)}` };
    const params = { path };
    if (brandId === '') {
      await body(api.PATCH('/card-fees/accounts/{accountId}', { params, body: usualRates(cells), headers: own }));
    } else {
      const rates = { cardBrandId: brandId, rates: brandRates(cells, brandId) };
      await body(api.PUT('/card-fees/accounts/{accountId}/brand-rates', { params, body: rates, headers: own }));
    }
  }
}

interface CellProps {
  readonly label: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly onValue: (typed: string) => void;
}

/** Says beside the field what is no rate: it is never taken for none. */
function RateCell({ label, value, disabled, onValue }: CellProps) {
  const t = useWords(words);
  const shared = useWords(frame);
  const wrong = isRate(value) ? '' : readNumber(value) === undefined ? shared('notANumber') : t('notAShare');
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
