import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  cancelledSalesProjector,
  cardPaymentsProjector,
  usedCardBrandsProjector,
} from '../../projections/card-fees/card-payments.js';
import { feeJobsProjector } from '../../projections/card-fees/fee-jobs.js';
import type { CardFeeEvent } from '../../src/features/card-fees/events.js';
import { NO_PROGRESS, placeOf } from '../../src/features/card-fees/events.js';
import type { InventoryEvent } from '../../src/features/inventory/events.js';
import { inventoryEvents } from '../../src/features/inventory/events.js';
import type { DomainEvent } from '../../src/kernel/events/event.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { givenProjection } from '../support/given-projection.js';

const d = (value: number): Decimal => Decimal.from(value);
const DAY = '2026-03-07';
const PLACE = placeOf(DAY, 1);
const BLUE = { accountId: 'blue', accountName: 'Azul' };
const GREEN = { accountId: 'green', accountName: 'Verde' };

type Sale = Extract<InventoryEvent, { type: 'SaleCompleted' }>;
type Payment = Sale['data']['payments'][number];
/** A real sale, whose payments are replaced. */
const sample = inventoryEvents.decode(
  'SaleCompleted',
  2,
  JSON.parse(readFileSync('test/fixtures/events/SaleCompleted.v2.json', 'utf8')),
) as Sale;
const [card] = sample.data.payments;

function paid(method: Payment['method'], amount: number, fee: number | null, more: Partial<Payment> = {}): Payment {
  if (!card) throw new Error('the sample has no payment');
  const terms = { ...BLUE, source: fee === null ? 'NONE' : 'MACHINE', fixedFee: d(0) } as Payment['feeTerms'];
  return {
    ...card,
    method,
    amount: d(amount),
    cardBrandId: null,
    installments: null,
    feePercent: fee === null ? null : d(2),
    fee: fee === null ? null : d(fee),
    feePending: fee === null,
    feeTerms: terms,
    ...more,
  };
}
const sale = (saleId: string, number: number, ...payments: readonly Payment[]): Sale => ({
  type: 'SaleCompleted',
  data: { ...sample.data, saleId, number, occurredOn: DAY, payments: [...payments] },
});

interface Changed {
  readonly saleId: string;
  readonly number: number;
  readonly payment: number;
  readonly before: number | null;
  readonly fee: number;
}
const recalculated = (percent: number, ...changed: readonly Changed[]): CardFeeEvent => ({
  type: 'FeesRecalculated',
  data: {
    jobId: 'j',
    epoch: 1,
    month: '2026-03',
    ...GREEN,
    upTo: PLACE,
    progress: { ...NO_PROGRESS, updated: changed.length, grossTotal: d(150), feeBefore: d(3), feeAfter: d(1.5) },
    changes: [
      {
        occurredOn: DAY,
        previousFeePercent: d(2),
        feePercent: d(percent),
        fixedFee: d(0),
        payments: changed.map(({ before, fee, ...which }) => ({
          ...which,
          previousFee: before === null ? null : d(before),
          fee: d(fee),
        })),
      },
    ],
  },
});

const position = (revision: number): string => String(revision + 1).padStart(12, '0');
const blue = { ...BLUE, feePercent: 2, fixedFee: 0 };
const kind = (cardType: 'credit' | 'debit', installments = 1) => ({ cardBrandId: null, cardType, installments });

describe('the card payments of a day', () => {
  test('are those of its sales, kinds and terms once each', () => {
    const events = [
      sale('a', 1, paid('CASH', 5, 0), paid('CREDIT', 100, 2, { installments: 3 }), paid('DEBIT', 50, 1)),
      sale('b', 2, paid('DEBIT', 10, null)),
      sale('c', 3, paid('PIX', 10, 0)),
    ];
    givenProjection(cardPaymentsProjector)
      .when(events)
      .then({
        [PLACE]: {
          id: PLACE,
          occurredOn: DAY,
          kinds: [kind('credit', 3), kind('debit')],
          terms: [blue, { ...BLUE, feePercent: null, fixedFee: 0 }],
          sales: [
            [
              'a',
              1,
              position(0),
              [
                [1, 100, 0, 0, 2],
                [2, 50, 1, 0, 1],
              ],
            ],
            ['b', 2, position(1), [[0, 10, 1, 1, null]]],
          ],
        },
      });
  });

  test('show the fee in force and the one before, and of two changes the last', () => {
    const events: readonly DomainEvent[] = [
      sale('a', 1, paid('DEBIT', 100, 2)),
      sale('b', 2, paid('DEBIT', 50, 1)),
      recalculated(1, { saleId: 'a', number: 1, payment: 0, before: 2, fee: 1 }),
      recalculated(3, { saleId: 'a', number: 1, payment: 0, before: 1, fee: 3 }),
    ];
    const green = (feePercent: number) => ({ ...GREEN, feePercent, fixedFee: 0 });
    givenProjection(cardPaymentsProjector)
      .when(events)
      .then({
        [PLACE]: {
          id: PLACE,
          occurredOn: DAY,
          kinds: [kind('debit')],
          terms: [blue, green(1), green(3)],
          sales: [
            ['a', 1, position(0), [[0, 100, 0, 2, 3, [1, 1, position(3)]]]],
            ['b', 2, position(1), [[0, 50, 0, 0, 1]]],
          ],
        },
      });
  });

  test('of many sales lie in several places, in the order of days', () => {
    const places = [placeOf(DAY, 1), placeOf(DAY, 5_000), placeOf('2026-03-08', 2)];
    expect(new Set(places).size).toBe(3);
    expect([...places].sort()).toEqual(places);
  });
});

test('sales that are cancelled are known by their day and the position of that', () => {
  const cancelled = {
    type: 'SaleCancelled',
    data: { saleId: 'a', occurredOn: DAY },
  } as unknown as InventoryEvent;
  givenProjection(cancelledSalesProjector)
    .when([sale('a', 1, paid('DEBIT', 1, 0)), cancelled])
    .thenRows([{ occurredOn: DAY, saleId: 'a', position: position(1) }]);
});

test('a brand is known from its first sale on', () => {
  const visa = { cardBrandId: 'visa' };
  givenProjection(usedCardBrandsProjector)
    .when([sale('a', 1, paid('DEBIT', 1, 0, visa), paid('CREDIT', 1, 0, visa)), sale('b', 2, paid('DEBIT', 1, 0))])
    .then({ visa: { id: 'visa' } });
});

describe('a recalculation', () => {
  const queued: CardFeeEvent = {
    type: 'FeeJobQueued',
    data: { jobId: 'j', month: '2026-03', terms: { enabled: true, account: null } },
  };
  const claimed = (epoch: number): CardFeeEvent => ({ type: 'FeeJobClaimed', data: { jobId: 'j', epoch } });
  const batch = recalculated(1, { saleId: 'a', number: 1, payment: 0, before: 2, fee: 1 });
  const at = (second: number) => `2026-01-01T00:00:0${String(second)}.000Z`;
  const shown = (events: readonly DomainEvent[], last: object) => {
    givenProjection(feeJobsProjector)
      .when(events)
      .then({
        j: expect.objectContaining({ id: 'j', month: '2026-03', createdAt: at(0), ...last }),
      });
  };

  test('is queued as of the position of its fact', () => {
    shown([queued], { status: 'QUEUED', asOf: position(0), startedAt: null, grossTotal: 0 });
  });
  test('adds up its batches, whoever works on it, and began once', () => {
    shown([queued, claimed(1), batch, claimed(2), batch], {
      status: 'RUNNING',
      startedAt: at(1),
      finishedAt: null,
      progress: { matched: 2, updated: 2, skipped: 0, failed: 0 },
      grossTotal: 300,
      feeBefore: 6,
      feeAfter: 3,
    });
  });
  test('ends done, failed or cancelled, and then says what stays', () => {
    const data = { jobId: 'j', epoch: 1 };
    shown([queued, claimed(1), { type: 'FeeJobFinished', data }], { status: 'DONE', finishedAt: at(2) });
    const failed = { type: 'FeeJobFailed', data: { ...data, error: 'given up' } };
    shown([queued, claimed(1), failed], { status: 'FAILED', error: 'given up', finishedAt: at(2) });
    const cancelled = { type: 'FeeJobCancelled', data: { jobId: 'j' } };
    shown([queued, cancelled], { status: 'CANCELLED', note: 'Cancelled before any fee was changed' });
    shown([queued, claimed(1), batch, cancelled], {
      note: 'Cancelled after 1 fees were changed; these stay changed',
    });
  });
});
