import { newId } from '../../src/kernel/values/ids.js';
import type { NewEvent } from '../../src/ports/event-store.js';

const AT = '2026-01-01T00:00:00.000Z';
const DATA = JSON.stringify({ id: newId(0), name: 'x'.repeat(440) });
const META = JSON.stringify({
  schemaVersion: 1,
  storeId: newId(0),
  actor: { kind: 'apiKey', id: newId(0), name: 'bench' },
  requestId: newId(0),
  causationId: newId(0),
  at: AT,
  hash: 'f'.repeat(64),
});

/** Events of about 500 bytes of data, with metadata as the service writes them. */
export const eventBatch = (count: number): NewEvent[] =>
  Array.from({ length: count }, () => ({ id: newId(Date.now()), type: 'BenchmarkRan', data: DATA, meta: META }));
