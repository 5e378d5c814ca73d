import { api, dryRun } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { outdated } from '../../parts/outdated.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useTypedRead } from '../../parts/typed-read.js';
import { money, quantity, readNumber, unitCost } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Order } from './orders.js';
import { words } from './words.js';

/** What was really used of an input, where that differs from the recipe. */
export interface UsedInput {
  readonly quantity: string;
  readonly planned: number;
  readonly lotCode: string;
}

/** What is typed of a completion. */
export interface Completion {
  output: string;
  lotCode: string;
  expiresAt: string;
  isForced: boolean;
  inputs: Readonly<Record<string, UsedInput>>;
  toLabels: boolean;
}

export function bodyOf({ output, lotCode, expiresAt, isForced, inputs }: Completion) {
  const made = readNumber(output);
  const actualInputs = Object.entries(inputs)
    .filter(([, used]) => used.quantity.trim() !== '' || used.lotCode.trim() !== '')
    .map(([componentVariantId, used]) => ({
      componentVariantId,
      quantity: readNumber(used.quantity) ?? used.planned,
      ...(used.lotCode.trim() === '' ? {} : { lotCode: used.lotCode.trim() }),
    }));
  return {
    ...(made === undefined ? {} : { actualOutputQty: made }),
    ...(lotCode.trim() === '' ? {} : { outputLotCode: lotCode.trim() }),
    ...(expiresAt === '' ? {} : { outputExpiresAt: expiresAt }),
    ...(actualInputs.length === 0 ? {} : { actualInputs }),
    ...(isForced ? { allowNegativeStock: true } : {}),
  };
}

/** The order as this completion would leave it, tried while it is typed. */
export function useCompletionRehearsal({ id }: Order, values: Completion) {
  return useTypedRead<Order, string>(JSON.stringify(bodyOf(values)), 300, {
    key: ['order', id, 'completion'],
    kinds: ['order', 'lot', 'sale'],
    read: async (asked, signal) =>
      (
        await dryRun(
          api.POST('/bakery-production/orders/{id}/complete', {
            params: { path: { id } },
            body: JSON.parse(asked) as ReturnType<typeof bodyOf>,
            headers: { Prefer: 'dry-run' },
            signal,
          }),
        )
      ).body as Order,
  });
}

/** What comes out beside the product, and what it all costs; or why it cannot be completed like this. */
export function WouldMake({
  rehearsal,
  unit,
}: {
  readonly rehearsal: ReturnType<typeof useCompletionRehearsal>;
  readonly unit: string | undefined;
}) {
  const t = useWords(words);
  const { data, error, isOutdated } = rehearsal;
  const names = useNames((data?.byproducts ?? []).map(({ variantId }) => variantId));
  if (error) return <ProblemNote error={error} />;
  if (!data) return null;
  const { byproducts, totalCost, unitCost: cost } = data;
  const isCosted = totalCost !== undefined && totalCost !== null;
  if (!isCosted && byproducts.length === 0) return null;
  return (
    <div {...outdated(isOutdated, 'note')} role="status">
      {isCosted && (
        <p>
          {t(cost === undefined || cost === null ? 'wouldCost' : 'wouldCostEach', {
            total: money(totalCost),
            each: unitCost(cost),
            unit: unit ?? '',
          })}
        </p>
      )}
      {byproducts.length > 0 && (
        <>
          <p>{t('wouldMake')}</p>
          <ul>
            {byproducts.map(({ variantId, quantity: amount, lotId }) => (
              <li key={lotId}>
                {quantity(amount, names(variantId)?.saleUnit)} {names(variantId)?.description ?? '…'}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
