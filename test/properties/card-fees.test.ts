import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { plainProduct } from '../support/route-examples.js';
import { until } from '../support/until.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** How many random months are lived through; `FEE_MONTHS=50` for a thorough run. */
const MONTHS = Number(process.env['FEE_MONTHS'] ?? 4);

let world: World;
let store: StoreClient;
let variantId: string;
let brands: readonly string[];
let lived = 0;

beforeAll(async () => {
  let now = Date.parse('2040-01-15T12:00:00Z');
  world = await openWorld({ clock: { now: () => now++ } });
  store = await world.newStore();
  ({ variantId } = await plainProduct(store, 'Pão'));
  const { body } = await store.call('GET', '/card-fees');
  brands = (body.brands as { id: string }[]).slice(0, 3).map(({ id }) => id);
});
afterAll(() => world.close());

type CardType = 'debit' | 'credit';
interface Rate {
  readonly cardType: CardType;
  readonly installments: number;
  /** In ten-thousandths of a percent. */
  readonly percent: number;
}
interface Machine {
  readonly general: readonly Rate[];
  /** By the place of the brand. */
  readonly own: readonly (readonly Rate[])[];
  /** In cents. */
  readonly fixed: number;
}
interface Sold {
  readonly cents: number;
  readonly cardType: CardType;
  readonly installments: number;
  /** The place of the brand; 3 stands for none. */
  readonly brand: number;
  readonly day: number;
  readonly fate: 'kept' | 'returned' | 'cancelled';
}

const KINDS = [
  ['debit', 1],
  ['credit', 1],
  ['credit', 2],
  ['credit', 3],
] as const;
/** Each kind of payment has a rate or has none. */
const rates = fc
  .tuple(...KINDS.map(() => fc.option(fc.integer({ min: 0, max: 99_999 }), { nil: undefined })))
  .map((percents): Rate[] =>
    KINDS.flatMap(([cardType, installments], at) => {
      const percent = percents[at];
      return percent === undefined ? [] : [{ cardType, installments, percent }];
    }),
  );
const machine: fc.Arbitrary<Machine> = fc.record({
  general: rates,
  own: fc.tuple(rates, rates, fc.constant([])),
  fixed: fc.integer({ min: 0, max: 199 }),
});
const sold: fc.Arbitrary<Sold> = fc
  .record({
    cents: fc.integer({ min: 1, max: 1_000_000 }),
    kind: fc.constantFrom(...KINDS),
    brand: fc.integer({ min: 0, max: 3 }),
    day: fc.integer({ min: 1, max: 28 }),
    fate: fc.constantFrom('kept', 'kept', 'returned', 'cancelled'),
  })
  .map(({ kind: [cardType, installments], ...rest }) => ({ ...rest, cardType, installments }));

/** In cents, by whole numbers alone; null where the machine has no rate for the payment. */
function feeOf({ general, own, fixed }: Machine, { cents, brand, cardType, installments }: Sold): number | null {
  const fits = (rate: Rate) => rate.cardType === cardType && rate.installments === installments;
  const rate = own[brand]?.find(fits) ?? general.find(fits);
  if (!rate) return null;
  return Number((BigInt(cents) * BigInt(rate.percent) + 500_000n) / 1_000_000n) + fixed;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function ok(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await store.call(method, path, body);
  expect([method, path, answer.status < 300, answer.text]).toEqual([method, path, true, answer.text]);
  return answer.body as unknown;
}

async function install({ general, own, fixed }: Machine, name: string): Promise<void> {
  const shown = ({ cardType, installments, percent }: Rate) => ({
    cardType,
    installments,
    feePercent: percent / 10_000,
  });
  const { id } = await ok('POST', '/card-fees/accounts', {
    name,
    fixedFee: fixed / 100,
    debitFeePercent: general.filter(({ cardType }) => cardType === 'debit').map((rate) => shown(rate).feePercent)[0],
    creditFees: general
      .filter(({ cardType }) => cardType === 'credit')
      .map((rate) => ({ installments: rate.installments, feePercent: shown(rate).feePercent })),
    brandRates: own.map((ofBrand, at) => ({ cardBrandId: brands[at], rates: ofBrand.map(shown) })),
  });
  await ok('POST', `/card-fees/accounts/${String(id)}/activate`);
}

async function sell(month: string, { cents, cardType, installments, brand, day, fate }: Sold): Promise<string> {
  const amount = cents / 100;
  const { id } = await ok('POST', '/sales', {
    items: [{ variantId, quantity: 1, unitPrice: amount }],
    payments: [
      {
        method: cardType.toUpperCase(),
        amount,
        installments,
        ...(brands[brand] !== undefined && { cardBrandId: brands[brand] }),
      },
    ],
    occurredAt: `${month}-${String(day).padStart(2, '0')}`,
    allowNegativeStock: true,
  });
  if (fate === 'cancelled') await ok('POST', `/sales/${String(id)}/cancel`, { reason: 'engano' });
  if (fate === 'returned') await ok('POST', `/sales/${String(id)}/returns`, { items: [{ variantId, quantity: 1 }] });
  return id as string;
}

interface Payment {
  readonly fee: number | null;
  readonly previousFee?: number | null;
}
const paymentOf = async (id: string): Promise<Payment> => {
  const { payments } = await ok('GET', `/sales/${id}`);
  return (payments as [Payment])[0];
};

async function recalculated(month: string) {
  const { id } = await ok('POST', '/card-fees/calc-jobs', { month });
  let job: Record<string, unknown> = {};
  await until('the recalculation is over', async () => {
    const { items } = await ok('GET', '/card-fees/calc-jobs');
    job = (items as Record<string, unknown>[]).find((each) => each['id'] === id) ?? {};
    return job['status'] === 'DONE';
  });
  const { progress, grossTotal, feeBefore, feeAfter } = job;
  const { matched, ...counts } = progress as { matched: number };
  return { totalMatched: matched, ...counts, grossTotal, feeBefore, feeAfter };
}

const money = (cents: readonly (number | null)[]): number =>
  cents.reduce<number>((sum, each) => sum + (each ?? 0), 0) / 100;
const cents = (amount: number | null): number | null => (amount === null ? null : Math.round(amount * 100));

test(
  'of any month preview, recalculation, sales and summary say the same, to the cent, and a second run changes nothing',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        machine,
        machine,
        fc.array(sold, { minLength: 3, maxLength: 14 }),
        async (before, after, sales) => {
          lived += 1;
          const month = `20${String(20 + Math.floor(lived / 12))}-${String((lived % 12) + 1).padStart(2, '0')}`;
          await install(before, `Antes ${String(lived)}`);
          const ids: string[] = [];
          for (const each of sales) ids.push(await sell(month, each));
          await install(after, `Depois ${String(lived)}`);

          const counted = sales.map((each, at) => ({ sale: each, id: ids[at] ?? '' }));
          const live = counted.filter(({ sale }) => sale.fate !== 'cancelled');
          const fees = live.map(({ sale, id }) => ({ id, old: feeOf(before, sale), fresh: feeOf(after, sale) }));
          const inForce = fees.map(({ old, fresh }) => fresh ?? old);
          const changed = fees.filter(({ old, fresh }) => fresh !== null && fresh !== old);
          const failed = fees.filter(({ fresh }) => fresh === null).length;
          const expected = {
            totalMatched: live.length,
            updated: changed.length,
            skipped: live.length - changed.length - failed,
            failed,
            grossTotal: money(live.map(({ sale }) => sale.cents)),
            feeBefore: money(fees.map(({ old }) => old)),
            feeAfter: money(inForce),
          };
          const { asOf: _, ...preview } = await ok('POST', '/card-fees/recalc-month/preview', { month });
          expect(preview).toMatchObject(expected);
          expect(await recalculated(month)).toEqual(expected);
          const shown = await Promise.all(fees.map(({ id }) => paymentOf(id)));
          expect(shown.map(({ fee }) => cents(fee))).toEqual(inForce);
          const noted = changed.map(({ id }) => shown[fees.findIndex((each) => each.id === id)]?.previousFee ?? null);
          expect(noted.map(cents)).toEqual(changed.map(({ old }) => old));
          const { total } = await ok('GET', `/card-fees/summary?month=${month}`);
          expect(total).toMatchObject({ payments: live.length, gross: expected.grossTotal, fee: expected.feeAfter });
          expect(await recalculated(month)).toEqual({
            ...expected,
            updated: 0,
            skipped: live.length - failed,
            feeBefore: expected.feeAfter,
          });
        },
      ),
      { numRuns: MONTHS, endOnFailure: true },
    );
  },
  60_000 + MONTHS * 20_000,
);
