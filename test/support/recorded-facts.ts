import { randomUUID } from 'node:crypto';
import type { StreamType } from '../../src/kernel/events/decider.js';
import { streamName } from '../../src/kernel/events/decider.js';
import type { DomainEvent, EventCodec } from '../../src/kernel/events/event.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';
import type { StoreClient, World } from './world.js';

/** A kind of stream that records what it is told: for histories that no request needs to make. */
const told = <E extends DomainEvent>(category: string, events: EventCodec<E>): StreamType<null, readonly E[], E> => ({
  category,
  events,
  decider: { initial: null, evolve: () => null, decide: (_, facts) => facts },
});

/**
 * Appends facts to a stream of a store: `product-{store}-{id}` for the category `product` and an id. The world's lane of that stream then only
 * takes facts, so that no request can change the record; it can be read.
 */
export async function recordFacts<E extends DomainEvent>(
  { service }: World,
  { storeId }: StoreClient,
  stream: { readonly category: string; readonly id?: string; readonly events: EventCodec<E> },
  facts: readonly E[],
): Promise<void> {
  const { category, id, events } = stream;
  const name = id === undefined ? streamName(category, storeId) : streamName(category, storeId, id);
  const at = new Date().toISOString();
  const envelope = { commandId: randomUUID(), storeId, actor: SYSTEM, requestId: 'test', at };
  await service.core.lanes.execute(told(category, events), name, facts, envelope);
}
