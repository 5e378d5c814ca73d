import { useState } from 'preact/hooks';
import { api, body, dryRun } from '../../client/api.js';
import { useAsSent, useCommand } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { NumberField, TextField } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { outdated } from '../../parts/outdated.js';
import { useTypedRead } from '../../parts/typed-read.js';
import { money, plainNumber, quantity, readNumber } from '../../values/formats.js';
import { sixDecimals } from '../../values/six-decimals.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { useDocumentName } from '../documents/document-name.js';
import { isGiven, useDocumentsOf } from './documents-of.js';
import { usePartNames } from './part-names.js';
import type { Sale } from './sale-state.js';
import { words } from './words.js';

interface Returnable {
  readonly variantId: string;
  readonly description: string;
  readonly unit: string;
  readonly left: number;
}

/** What can still come back: a product that stands in several lines is taken back as one. */
export function returnable(sale: Sale): readonly Returnable[] {
  const byVariant = new Map<string, Returnable>();
  for (const { variantId, description, unit, quantity: sold, returnedQuantity } of sale.items) {
    const before = byVariant.get(variantId)?.left ?? 0;
    const left = sixDecimals(before + sold - returnedQuantity);
    byVariant.set(variantId, { variantId, description, unit, left });
  }
  return [...byVariant.values()].filter(({ left }) => left > 0);
}

interface Returned {
  readonly variantId: string;
  readonly quantity: number;
}

interface Back {
  readonly total: number;
  readonly items: readonly {
    readonly line: number;
    readonly variantId: string;
    readonly lots: readonly {
      readonly variantId: string;
      readonly lotId: string;
      readonly lotCode: string | null;
      readonly quantity: number;
    }[];
  }[];
}

/** What the return would give back, asked for without doing it. */
function Preview({ sale, items }: { readonly sale: Sale; readonly items: readonly Returned[] }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const preview = useTypedRead(JSON.stringify(items), 250, {
    key: ['sale', sale.id, 'return'],
    kinds: ['sale'],
    when: (asked) => asked !== '[]',
    read: (asked, signal) =>
      dryRun(
        api.POST('/sales/{id}/returns', {
          params: { path: { id: sale.id } },
          body: { items: JSON.parse(asked) as typeof items as never },
          headers: { Prefer: 'dry-run' },
          signal,
        }),
      ),
  });
  // What went well before and is refused now, as somebody else has taken goods back, would give back nothing.
  const answer = preview.error ? undefined : preview.data;
  const back = answer?.status === 201 && items.length > 0 ? (answer.body as Back) : undefined;
  const lots = (back?.items ?? []).flatMap((item) =>
    item.lots.map((lot) => ({ ...lot, sold: item.variantId, line: item.line })),
  );
  const partName = usePartNames(lots);
  // Which of several products goes back to a lot is said by no code that the lot lacks.
  const isOfSeveral = new Set(lots.map(({ sold }) => sold)).size > 1;
  const nameOf = (lot: (typeof lots)[number]) =>
    isOfSeveral && lot.variantId === lot.sold ? `${sale.items[lot.line]?.description ?? ''}, ` : partName(lot);
  if (!back) return null;
  // Nobody is given the money of a return that is no longer the one that is typed.
  const { isOutdated } = preview;
  return (
    <div class="note" role="status">
      <p>
        <strong>{isOutdated ? shared('loading') : t('refund', { total: money(back.total) })}</strong>
      </p>
      <ul {...outdated(isOutdated)}>
        {lots.map((lot) => (
          <li key={lot.lotId}>
            {t('lotsBack', { lot: `${nameOf(lot)}${lot.lotCode ?? t('noLot')}`, quantity: quantity(lot.quantity) })}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the customer was given says the same after the return, and who takes the goods back has to know. */
function DocumentStays({ sale }: { readonly sale: Sale }) {
  const t = useWords(words);
  const nameOf = useDocumentName();
  const given = useDocumentsOf(sale.id, useMay()('fiscal.view')).data?.filter(isGiven) ?? [];
  if (given.length === 0) return null;
  return <p class="note">{t('documentStays', { document: given.map(nameOf).join(', ') })}</p>;
}

/** What somebody else did to the sale meanwhile: of the same goods, two who are asked for one return would both give the money back. */
function Meanwhile({
  sale,
  before,
  left,
}: {
  readonly sale: Sale;
  readonly before: readonly Returnable[];
  readonly left: readonly Returnable[];
}) {
  const t = useWords(words);
  const leftOf = new Map(left.map((one) => [one.variantId, one.left]));
  const back = before
    .map((one) => ({ ...one, back: sixDecimals(one.left - (leftOf.get(one.variantId) ?? 0)) }))
    .filter((one) => one.back > 0);
  const said = () => {
    if (sale.status === 'CANCELLED') return t('cancelledMeanwhile');
    if (left.length === 0) return t('allBack');
    const items = back.map((one) => `${quantity(one.back, one.unit)} ${one.description}`).join(', ');
    return items === '' ? undefined : t('backMeanwhile', { items });
  };
  const text = said();
  if (text === undefined) return null;
  return (
    <p class="note warn" role="status">
      {text}
    </p>
  );
}

export function ReturnDialog({ sale, onClose }: { readonly sale: Sale; readonly onClose: () => void }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const form = useForm<Record<string, string>>({ reason: '' });
  const takeBack = useCommand({
    send: (input: { readonly items: readonly Returned[]; readonly reason: string }, headers) =>
      body(
        api.POST('/sales/{id}/returns', {
          params: { path: { id: sale.id } },
          body: { items: [...input.items], ...(input.reason === '' ? {} : { reason: input.reason }) },
          headers,
        }),
      ),
    adds: `/sales/${sale.id}/returns`,
    kinds: ['sale', 'lot', 'product'],
    onDone: onClose,
  });
  const left = useAsSent(returnable(sale), takeBack);
  const [before] = useState(left);
  const items = left.flatMap(({ variantId }) => {
    const wanted = readNumber(form.values[variantId] ?? '') ?? 0;
    return wanted === 0 ? [] : [{ variantId, quantity: wanted }];
  });
  return (
    <Dialog title={t('takeBack')} onClose={onClose}>
      <Form
        sending={takeBack}
        submit={t('confirmReturn')}
        cancel={onClose}
        form={form}
        disabled={items.length === 0}
        onSubmit={() => {
          takeBack.mutate({ items, reason: (form.values['reason'] ?? '').trim() });
        }}
        extra={
          <Button
            look="quiet"
            onClick={() => {
              form.change(Object.fromEntries(left.map((one) => [one.variantId, plainNumber(one.left)])));
            }}
          >
            {t('takeBackAll')}
          </Button>
        }
      >
        <p>{t('takeBackLead')}</p>
        <DocumentStays sale={sale} />
        <div class="lines">
          {left.map(({ variantId, description, unit, left: most }) => (
            <NumberField
              key={variantId}
              label={description}
              unit={t('still', { quantity: quantity(most, unit) })}
              most={most}
              value={form.values[variantId] ?? ''}
              onValue={(value) => {
                form.set(variantId, value);
              }}
            />
          ))}
        </div>
        <TextField
          label={shared('reason')}
          path="reason"
          maxLength={500}
          value={form.values['reason'] ?? ''}
          onValue={(value) => {
            form.set('reason', value);
          }}
        />
        <Meanwhile {...{ sale, before, left }} />
        <Preview sale={sale} items={items} />
      </Form>
    </Dialog>
  );
}
