import { api, body } from '../../client/api.js';
import { useCommand } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Form, useForm } from '../../parts/form.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import type { Configuration, Machine } from './configuration.js';
import { KINDS } from './configuration.js';
import type { Cells } from './rates.js';
import { brandRates, cellsOf, touchedBrands, usualRates } from './rates.js';
import { words } from './words.js';

/** What a machine takes, by payment and brand. */
export function RateGrid({
  configuration: { brands, settings },
  machine,
}: {
  readonly configuration: Configuration;
  readonly machine: Machine;
}) {
  const t = useWords(words);
  const shared = useWords(frame);
  const may = useMay();
  const before = cellsOf(machine);
  const form = useForm<Record<string, string>>(before);
  const path = { accountId: machine.id };
  const save = useCommand({
    send: async (cells: Cells, headers) => {
      const key = headers['Idempotency-Key'] ?? '';
      for (const brand of touchedBrands(before, cells)) {
        const own = { ...headers, 'Idempotency-Key': `${key}${brand.slice(0, 8)}` };
        if (brand === '') {
          await body(
            api.PATCH('/card-fees/accounts/{accountId}', { params: { path }, body: usualRates(cells), headers: own }),
          );
        } else {
          const rates = { cardBrandId: brand, rates: brandRates(cells, brand) };
          await body(
            api.PUT('/card-fees/accounts/{accountId}/brand-rates', { params: { path }, body: rates, headers: own }),
          );
        }
      }
    },
    kinds: KINDS,
    onDone: () => {
      form.reset(form.values);
    },
  });
  const columns = [{ id: '', name: t('usual') }, ...brands.filter(({ active }) => active)];
  const rows = [
    { id: 'd', name: t('debit') },
    ...Array.from({ length: settings.maxInstallments }, (_, index) => ({
      id: String(index + 1),
      name: t('credit', { n: index + 1 }),
    })),
  ];
  const canManage = may('cardFees.manage');
  return (
    <Form
      sending={save}
      submit={shared('save')}
      form={form}
      disabled={!canManage || !form.isDirty}
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
                {columns.map((brand) => (
                  <td key={brand.id}>
                    <input
                      class="figure"
                      inputMode="decimal"
                      autocomplete="off"
                      aria-label={t('cell', { row: row.name, brand: brand.name })}
                      disabled={!canManage}
                      value={form.values[`${brand.id}/${row.id}`] ?? ''}
                      onInput={({ currentTarget }) => {
                        form.set(`${brand.id}/${row.id}`, currentTarget.value);
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
