import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Mongo } from '../../src/adapters/mongodb/open-mongo.js';
import { openMongo } from '../../src/adapters/mongodb/open-mongo.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { StoreUnavailable } from '../../src/ports/event-store.js';
import type { RecordCollection } from '../../src/ports/read-models.js';
import { checkpoint, position, product, products } from '../contract/read-model-samples.js';
import type { Fault } from '../support/mongodb-proxy.js';
import { MongoProxy } from '../support/mongodb-proxy.js';
import { onMongo } from '../support/on-servers.js';

/** Nine writers on one MongoDB to which everything happens that may happen to it; FAULT_SECONDS says for how long. */

const SECONDS = Number(process.env['FAULT_SECONDS'] ?? 20);
const WRITERS = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
const ONE_IN = 25;
const CODES = [6, 7, 43, 64, 91, 112, 134, 189, 365, 10107, 11600, 11601, 11602, 14031];
const settings = { secretsKey: randomBytes(32), clock: systemClock() };

function anyFault(): Fault | undefined {
  if (randomInt(ONE_IN) > 0) return undefined;
  const code = CODES[randomInt(CODES.length)] ?? 91;
  const faults: readonly Fault[] = [
    'drop before it runs',
    'drop after it ran',
    { code, ran: false },
    { code, ran: true },
    { writeConcernError: code },
  ];
  return faults[randomInt(faults.length)];
}

/** Tries until the server has answered. */
async function persistently<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await pause(20);
    }
  }
}

/** Who wrote what into the row that all share. */
type Entries = readonly string[];

await onMongo('random faults', (mongo) => {
  test(
    `${String(SECONDS)} s of random faults lose nothing, double nothing and promise nothing that is not so`,
    async () => {
      const url = mongo.freshUrl();
      const proxy = await MongoProxy.start(url);
      const stores: Mongo[] = [];
      // One after the other: FerretDB breaks off when two build its first indexes at once.
      for (const _ of WRITERS) stores.push(await openMongo({ ...settings, url: proxy.through(url) }));
      for (const { projectionStore } of stores) await projectionStore.prepare([products]);
      const until = performance.now() + SECONDS * 1_000;
      const goesOn = () => performance.now() < until;
      proxy.fault = anyFault;
      const outages = (async () => {
        while (goesOn()) {
          await pause(randomInt(3_000, 6_000));
          await proxy.close();
          await pause(randomInt(100, 700));
          await proxy.open();
        }
      })();
      const outcomes = await Promise.all(
        WRITERS.map(async (writer) => {
          const store = stores[writer] as Mongo;
          const work = { promised: [] as string[], refused: [] as string[], revision: 0 };
          for (let turn = 0; goesOn(); turn++) {
            await writeShared(store, `${String(writer)}/${String(turn)}`, work);
            await saveAndLoad(store, writer, (work.revision += 1));
            await project(store, turn);
          }
          return work;
        }),
      );
      await outages;
      proxy.fault = () => undefined;
      const [first] = stores as [Mongo, ...Mongo[]];
      const entries = (await persistently(() => first.vault.get('shared', 'row')))?.value as Entries;
      expect(new Set(entries).size).toBe(entries.length);
      expect(outcomes.flatMap(({ promised }) => promised).filter((entry) => !entries.includes(entry))).toEqual([]);
      expect(outcomes.flatMap(({ refused }) => refused).filter((entry) => entries.includes(entry))).toEqual([]);
      expect(entries.length).toBeGreaterThan(0);
      await expectNewest(first);
      for (const store of stores) await store.close();
      await proxy.close();
    },
    (SECONDS + 180) * 1_000,
  );

  /** Adds to the shared row; an unknown outcome is neither promised nor refused. */
  async function writeShared({ vault }: Mongo, entry: string, work: { promised: string[]; refused: string[] }) {
    const row = await persistently(() => vault.get('shared', 'row'));
    const value = [...((row?.value as Entries | undefined) ?? []), entry];
    try {
      const written = await vault.write([{ kind: 'shared', id: 'row', value, expected: row?.version ?? 'absent' }]);
      if (written) work.promised.push(entry);
      // A repeat by the driver may say no to what its first attempt did, unless the server keeps its answer.
      else work.refused.push(entry);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (!error.unknown) work.refused.push(entry);
    }
  }

  async function saveAndLoad({ snapshots }: Mongo, writer: number, revision: number): Promise<void> {
    const stream = `stream-${String(writer % 3)}`;
    const text = `${String(writer)}/${String(revision)}`;
    const pieces = [Buffer.from(text), Buffer.from(text)];
    await persistently(() => snapshots.save(stream, { logId: 'log', version: 1, revision, pieces }));
    const kept = await persistently(() => snapshots.load(stream));
    if (kept) expect(new Set(kept.pieces.map((piece) => piece.toString())).size).toBe(1);
  }

  /** Every writer projects every event, as processes do that take over from each other. */
  async function project({ projectionStore }: Mongo, turn: number): Promise<void> {
    const event = turn + 1;
    const record = { store: 's1', id: `p${String(event % 5)}`, document: named(event), position: position(event) };
    const write = {
      collection: products as RecordCollection<never>,
      generation: 'live' as const,
      records: [record],
      rows: [],
    };
    await persistently(() => projectionStore.commit([write], [checkpoint(event)]));
    reached = Math.max(reached, event);
  }

  let reached = 0;
  const named = (event: number) => ({ ...product(`p${String(event % 5)}`), name: `event ${String(event)}` });

  /** Each document is as the newest event that touched it left it, and the checkpoint is that of the newest of all. */
  async function expectNewest({ projectionStore }: Mongo): Promise<void> {
    const [stored] = await projectionStore.checkpoints();
    expect(stored?.position).toBe(position(reached));
    const ids = [0, 1, 2, 3, 4].map((number) => `p${String(number)}`);
    const loaded = await projectionStore.load(
      products,
      'live',
      ids.map((id) => ({ store: 's1', id })),
    );
    for (let event = Math.max(1, reached - 4); event <= reached; event++) {
      expect(loaded.get(`s1/p${String(event % 5)}`)?.document).toMatchObject({ name: `event ${String(event)}` });
    }
  }
});
