import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openEmbeddedArchive } from '../../src/adapters/embedded/log/archive.js';
import { openEmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import { linesPage, sealedPage } from '../../src/adapters/event-bytes.js';
import { LogCheck } from '../../src/kernel/proof/log-check.js';
import { CHAIN_START, sealEvent } from '../../src/kernel/events/chain.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import type { NewEvent, StoredEvent } from '../../src/ports/event-store.js';
import { NO_STREAM, START } from '../../src/ports/event-store.js';
import type { BytesPage } from '../../src/ports/log-archive.js';

const STREAMS = ['brands-1', 'e-mail-"quoted"@loja.example', 'usuário-ç🍞'];
/** More than are read at once. */
const EVENTS_OF_A_STREAM = 150;

let dataDir: string;
let stored: readonly StoredEvent[];

const actor = { kind: 'user', id: 'u', name: 'Zé "da" Padaria\n🍞' } as const;

function chain(stream: string): readonly NewEvent[] {
  let previous = CHAIN_START;
  return Array.from({ length: EVENTS_OF_A_STREAM }, (_, index) => {
    const meta = {
      schemaVersion: 1,
      storeId: null,
      actor,
      requestId: 'r',
      causationId: 'c',
      at: '2026-01-02T03:04:05.000Z',
    };
    const thing = {
      id: `${stream}/${String(index)}`,
      type: 'ThingDone',
      data: { text: `maçã\u0000"\\ ${'x'.repeat(index)}` },
    };
    const { event, hash } = sealEvent(previous, thing, meta);
    previous = hash;
    return event;
  });
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'event-bytes-'));
  const log = await openEmbeddedLog({ dataDir, secretsKey: randomBytes(32), clock: systemClock() });
  for (const stream of STREAMS) await log.eventStore.append(stream, NO_STREAM, chain(stream));
  stored = await log.eventStore.readAll(START, Number.MAX_SAFE_INTEGER);
  await log.close();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Each event with its own bytes, whatever page it came in. */
async function eventsOf(pages: AsyncIterable<BytesPage> | readonly BytesPage[]) {
  const events: object[] = [];
  for await (const { bytes, events: places } of pages) {
    for (const { stream, revision, position, start, end, metaBytes, isText, isNext } of places) {
      events.push({ stream, revision, position, metaBytes, isText, isNext, text: bytes.toString('utf8', start, end) });
    }
  }
  return events;
}

test('the embedded log makes of its events the bytes that are made of them elsewhere', async () => {
  const archive = openEmbeddedArchive(dataDir);
  const [sealed, lines] = [await eventsOf(archive.sealed()), await eventsOf(archive.lines())];
  await archive.close();
  expect(stored).toHaveLength(STREAMS.length * EVENTS_OF_A_STREAM);
  expect(sealed).toEqual(await eventsOf([sealedPage(stored)]));
  expect(lines).toEqual(await eventsOf([linesPage(stored)]));
});

test('a log is whole by its bytes as by its texts, with the same root', async () => {
  const [byTexts, byBytes] = [new LogCheck(), new LogCheck()];
  for (const event of stored) byTexts.add(event);
  const archive = openEmbeddedArchive(dataDir);
  for await (const { bytes, events } of archive.sealed()) {
    for (const event of events) byBytes.addBytes(event, bytes);
  }
  await archive.close();
  expect(byBytes.tree.state()).toEqual(byTexts.tree.state());
});
