import { accessEvents } from '../../../src/features/auth/access/events.js';
import { accessHistory } from '../../../src/features/auth/access/history.js';
import { brandEvents } from '../../../src/features/brands/events.js';
import { brandHistory } from '../../../src/features/brands/history.js';
import { cardFeeEvents } from '../../../src/features/card-fees/events.js';
import { cardFeeHistory } from '../../../src/features/card-fees/history.js';
import { categoryEvents } from '../../../src/features/categories/events.js';
import { categoryHistory } from '../../../src/features/categories/history.js';
import { customerEvents } from '../../../src/features/customers/events.js';
import { customerHistory } from '../../../src/features/customers/history.js';
import { fiscalEvents } from '../../../src/features/fiscal/events.js';
import { fiscalHistory } from '../../../src/features/fiscal/history.js';
import { taxRuleHistory } from '../../../src/features/fiscal/rules/history.js';
import { taxRuleEvents } from '../../../src/features/fiscal/rules/events.js';
import { inventoryEvents } from '../../../src/features/inventory/events.js';
import { inventoryHistory } from '../../../src/features/inventory/history.js';
import { locationEvents } from '../../../src/features/inventory/locations/events.js';
import { locationHistory } from '../../../src/features/inventory/locations/history.js';
import { codeEvents, kitEvents, productEvents } from '../../../src/features/products/events.js';
import { codeHistory, kitHistory, productHistory } from '../../../src/features/products/history.js';
import { recipeEvents } from '../../../src/features/recipes/events.js';
import { recipeHistory } from '../../../src/features/recipes/history.js';
import { storeEvents } from '../../../src/features/stores/events.js';
import { storeHistory } from '../../../src/features/stores/history.js';
import { tagEvents } from '../../../src/features/tags/events.js';
import { tagHistory } from '../../../src/features/tags/history.js';
import { drillEvents } from '../../../src/features/traceability/drills/events.js';
import { drillHistory } from '../../../src/features/traceability/drills/history.js';
import { webhookEvents } from '../../../src/features/webhooks/events.js';
import { webhookHistory } from '../../../src/features/webhooks/history.js';
import type { DomainEvent, EventCodec } from '../../../src/kernel/events/event.js';
import type { EventHistory, Histories } from '../../../src/kernel/events/history.js';

interface ToldCodec {
  readonly codec: EventCodec<DomainEvent>;
  readonly histories: ReadonlyMap<string, EventHistory<unknown>>;
}

const told = <E extends DomainEvent>(codec: EventCodec<E>, histories: Histories<E>): ToldCodec => ({
  codec,
  histories: new Map(Object.entries(histories)) as ReadonlyMap<string, EventHistory<unknown>>,
});

/** What the events of stores tell. Accounts belong to no store, so theirs stand in no store's history. */
export const TOLD: readonly ToldCodec[] = [
  told(storeEvents, storeHistory),
  told(accessEvents, accessHistory),
  told(categoryEvents.codec, categoryHistory),
  told(brandEvents.codec, brandHistory),
  told(tagEvents.codec, tagHistory),
  told(productEvents, productHistory),
  told(kitEvents, kitHistory),
  told(codeEvents.codec, codeHistory),
  told(locationEvents, locationHistory),
  told(recipeEvents, recipeHistory),
  told(customerEvents, customerHistory),
  told(inventoryEvents, inventoryHistory),
  told(cardFeeEvents, cardFeeHistory),
  told(webhookEvents, webhookHistory),
  told(fiscalEvents, fiscalHistory),
  told(taxRuleEvents, taxRuleHistory),
  told(drillEvents, drillHistory),
];

const byType = new Map(
  TOLD.flatMap(({ codec, histories }) => [...histories].map(([type, history]) => [type, { codec, history }] as const)),
);

/** How an event of that type is read and what it tells; undefined for one that belongs to no store. */
export const toldType = (type: string) => byType.get(type);
