import { CHAIN_START, sealEvent } from '../../src/kernel/events/chain.js';
import { metaOf } from '../../src/kernel/events/recorded.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';
import { newId } from '../../src/kernel/values/ids.js';
import type { EventStore } from '../../src/ports/event-store.js';

const EVENTS_OF_AN_APPEND = 200;
const DAYS = 28;
/** From 10.00 on, each another amount. */
const LEAST_CENTS = 1_000;
const AMOUNTS = 9_000;

interface CardSales {
  readonly storeId: string;
  readonly count: number;
  /** `YYYY-MM`: their days follow each other. */
  readonly month: string;
  readonly cardBrandId?: string | null;
  /** The number of the first of them; others before it are not counted. */
  readonly firstNumber?: number;
}

/** What the n-th of them was paid, in cents. */
export const centsOf = (at: number): number => LEAST_CENTS + (at % AMOUNTS);

function saleOf(at: number, { count, month, cardBrandId = null, firstNumber = 1 }: CardSales) {
  const day = String(Math.floor((at * DAYS) / count) + 1).padStart(2, '0');
  const amount = String(centsOf(at) / 100);
  const [price, saleId] = [{ quantity: '1', unitPrice: amount, discount: '0', total: amount }, newId(Date.now())];
  return {
    saleId,
    number: firstNumber + at,
    customerId: null,
    locationId: saleId,
    occurredAt: `${month}-${day}T15:00:00.000Z`,
    occurredOn: `${month}-${day}`,
    lines: [{ variantId: saleId, productId: saleId, description: 'Entrega', unit: 'UN', ...price, issues: [] }],
    payments: [
      {
        method: 'DEBIT',
        amount,
        cardBrandId,
        installments: null,
        feePercent: null,
        fee: null,
        feePending: true,
        feeTerms: null,
        tendered: null,
        authorizationCode: null,
        endToEndId: null,
        description: null,
      },
    ],
    total: amount,
  };
}

/** Writes sales paid by card into a store, as if they had been made; gives their ids. */
export async function appendCardSales(eventStore: EventStore, sales: CardSales): Promise<readonly string[]> {
  const { storeId, count } = sales;
  const ids: string[] = [];
  const stream = `inventory-${storeId}`;
  const [last] = await eventStore.readStream(stream, { direction: 'backward', limit: 1 });
  let previous = last ? metaOf(last).hash : CHAIN_START;
  let revision = last?.revision ?? -1;
  for (let first = 0; first < count; first += EVENTS_OF_AN_APPEND) {
    const at = new Date().toISOString();
    const events = Array.from({ length: Math.min(EVENTS_OF_AN_APPEND, count - first) }, (_, index) => {
      const data = saleOf(first + index, sales);
      const meta = { schemaVersion: 2, storeId, actor: SYSTEM, requestId: 'card-sales', causationId: data.saleId, at };
      const sealed = sealEvent(previous, { id: newId(Date.now()), type: 'SaleCompleted', data }, meta);
      previous = sealed.hash;
      ids.push(data.saleId);
      return sealed.event;
    });
    ({ revision } = await eventStore.append(stream, revision, events));
  }
  return ids;
}
