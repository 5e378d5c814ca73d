import { describe, expect, test } from '@jest/globals';
import type { LotDocument } from '../../projections/inventory/lots.js';
import { lotsProjector } from '../../projections/inventory/lots.js';
import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import type { InventoryEvent } from '../../src/features/inventory/events.js';
import { recorded } from '../support/given-projection.js';
import { documentsOf } from '../support/projected.js';
import { receive } from '../support/inventory-history.js';
import { ProductionHistory, register } from '../support/production-history.js';

const lotsAfter = (events: readonly InventoryEvent[]) =>
  documentsOf(
    lotsProjector,
    events.map((event, revision) => recorded(event, revision)),
  ) as Readonly<Record<string, LotDocument>>;

/** Flour was received and bread made of it. */
function baked(): ProductionHistory {
  const store = new ProductionHistory();
  store.run({ ...receive('flour', 'flour', 10, 2), supplier: 'Moinho', document: 'NF 1' } as InventoryCommand);
  store.run(register('order', { needs: { flour: 3 } }));
  return store;
}

describe('a lot', () => {
  test('knows the paper with which it was received; one that was made has none', () => {
    expect(lotsAfter(baked().events)).toMatchObject({
      flour: { origin: 'RECEIPT', receiptId: 'receipt of flour', supplier: 'Moinho', document: 'NF 1', marks: [] },
      'order output': { origin: 'PRODUCTION', originId: 'order', receiptId: null, supplier: null, document: null },
    });
  });

  test('that a reversal unmakes is blocked for its reason, and none of those that it gives back to', () => {
    const store = baked();
    store.reverse('order');
    const mark = { status: 'BLOCKED', reason: 'engano', at: '2026-01-01T00:00:02.000Z' };
    expect(lotsAfter(store.events)).toMatchObject({
      flour: { status: 'AVAILABLE', marks: [], revision: 0, movedAt: mark.at },
      'order output': { status: 'BLOCKED', marks: [mark], revision: 2 },
    });
  });

  test('keeps the last fifty of its marks', () => {
    const lots = [{ lotId: 'flour', variantId: 'flour', lotCode: null }];
    const marks = Array.from(
      { length: 60 },
      (_, index) =>
        ({
          type: index % 2 === 0 ? 'LotsBlocked' : 'LotsReleased',
          data: { reason: String(index), lots },
        }) as unknown as InventoryEvent,
    );
    const { flour } = lotsAfter([...baked().events, ...marks]);
    expect(flour?.status).toBe('AVAILABLE');
    expect(flour?.marks.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 50 }, (_, index) => String(10 + index)),
    );
  });
});
