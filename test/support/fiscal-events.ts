import { readFileSync } from 'node:fs';
import { CHAIN_START, sealEvent } from '../../src/kernel/events/chain.js';
import { newId } from '../../src/kernel/values/ids.js';
import type { EventStore } from '../../src/ports/event-store.js';

const sample = (type: string): { readonly document: object } =>
  JSON.parse(readFileSync(`test/fixtures/events/${type}.v1.json`, 'utf8')) as { readonly document: object };

/** Writes fiscal facts into a store's stream as if its documents had come so far; gives the ids of the documents. */
export async function recordDocuments(
  eventStore: Pick<EventStore, 'readStream' | 'append'>,
  storeId: string,
  types: readonly string[],
  at = Date.now(),
): Promise<readonly string[]> {
  const stream = `fiscal-${storeId}`;
  const [last] = await eventStore.readStream(stream, { direction: 'backward', limit: 1 });
  let previous = last ? (JSON.parse(last.meta) as { readonly hash: string }).hash : CHAIN_START;
  const ids = types.map(() => newId(at));
  const events = types.map((type, index) => {
    const known = sample(type);
    const data = { ...known, document: { ...known.document, documentId: ids[index] } };
    const meta = {
      schemaVersion: 1,
      storeId,
      actor: { kind: 'system' as const, id: 'test', name: 'Test' },
      requestId: 'test',
      causationId: newId(at),
      at: new Date(at).toISOString(),
    };
    const sealed = sealEvent(previous, { id: newId(at), type, data }, meta);
    previous = sealed.hash;
    return sealed.event;
  });
  await eventStore.append(stream, last?.revision ?? -1, events);
  return ids;
}
