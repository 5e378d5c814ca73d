import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { Connection } from '../../src/adapters/mongodb/connection.js';
import type { Mongo } from '../../src/adapters/mongodb/open-mongo.js';
import { openMongo } from '../../src/adapters/mongodb/open-mongo.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { StoreUnavailable } from '../../src/ports/event-store.js';
import { RebuildReplaced } from '../../src/ports/read-models.js';
import { storeApplier } from '../../src/kernel/projections/applier.js';
import { startProjections } from '../../src/kernel/projections/host.js';
import { checkpoint, LOG, product, products, put } from '../contract/read-model-samples.js';
import type { Command, Fault } from '../support/mongodb-proxy.js';
import { MongoProxy } from '../support/mongodb-proxy.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import { onMongo } from '../support/on-servers.js';
import { until } from '../support/until.js';

const settings = { secretsKey: randomBytes(32), clock: systemClock() };
const row = { kind: 'thing', id: 'a', value: 1, expected: 'absent' } as const;

await onMongo('MongoDB with faults', (mongo) => {
  let proxy: MongoProxy;
  let store: Mongo;
  let url: string;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    url = mongo.freshUrl();
    proxy = await MongoProxy.start(url);
    store = await openMongo({ ...settings, url: proxy.through(url) });
    await store.projectionStore.prepare([products]);
  });
  afterEach(async () => {
    proxy.fault = () => undefined;
    for (const close of closing.splice(0)) await close();
    await store.close();
    await proxy.close();
  });

  /** The same database, seen two hours later. */
  async function openMongoLater(): Promise<Mongo> {
    const later = await openMongo({
      ...settings,
      url: proxy.through(url),
      clock: systemClock(() => Date.now() + 7_200_000),
    });
    closing.push(() => later.close());
    return later;
  }

  /** Lets a fault happen to the first commands of a kind. */
  function once(kind: RegExp, fault: Fault, and: () => void = () => undefined): void {
    let left = 1;
    proxy.fault = ({ name, collection }: Command) => {
      if (left === 0 || !kind.test(`${name} ${collection}`)) return undefined;
      left -= 1;
      and();
      return fault;
    };
  }
  const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'no refusal',
      (error: unknown) => error,
    );

  describe('MongoDB with faults', () => {
    test('a write whose answer is lost is repeated by the driver and happens once', async () => {
      once(/^insert vault/u, 'drop after it ran');
      expect(await store.vault.write([row])).toBe(true);
      expect(await store.vault.get('thing', 'a')).toMatchObject({ value: 1 });
    });

    test('a write that ran before the server went away is never said not to have happened', async () => {
      const outage: Promise<void>[] = [];
      once(/^insert vault/u, 'drop after it ran', () => outage.push(proxy.close()));
      const refusal = await refusalOf(store.vault.write([row]));
      await Promise.all(outage);
      await proxy.open();
      expect(refusal).toBeInstanceOf(StoreUnavailable);
      expect(refusal).toMatchObject({ unknown: true });
    });

    test('a write that was never sent is said not to have happened', async () => {
      await proxy.close();
      expect(await refusalOf(store.vault.get('thing', 'a'))).toBeInstanceOf(StoreUnavailable);
      const refusal = await refusalOf(store.vault.write([row]));
      await proxy.open();
      expect(refusal).toBeInstanceOf(StoreUnavailable);
      expect(refusal).toMatchObject({ unknown: false });
    });

    test.each([11601, 365, 112, 43, 134, 211, 14031, 13, 18])(
      'code %i is the server’s affair: the call may be tried again',
      async (code) => {
        once(/^update|^insert/u, { code, ran: false });
        const commit = () => store.projectionStore.commit([put([product('a')], { at: 1 })], [checkpoint(1)]);
        expect(await refusalOf(commit())).toBeInstanceOf(StoreUnavailable);
        once(/^insert vault/u, { code, ran: false });
        expect(await refusalOf(store.vault.write([row]))).toBeInstanceOf(StoreUnavailable);
        await commit();
      },
    );

    test.each([2, 121, 10334])('code %i is the document’s affair: trying again would change nothing', async (code) => {
      once(/^insert products/u, { code, ran: false });
      const commit = store.projectionStore.commit([put([product('a')], { at: 1 })], [checkpoint(1)]);
      expect(await refusalOf(commit)).not.toBeInstanceOf(StoreUnavailable);
    });

    test('a single write that is not yet with a majority has an unknown outcome, whatever the code', async () => {
      once(/^insert vault/u, { writeConcernError: 75 });
      const refusal = await refusalOf(store.vault.write([row]));
      expect(refusal).toBeInstanceOf(StoreUnavailable);
      expect(refusal).toMatchObject({ unknown: true });
    });

    test('a rebuild whose switch was lost on the way back is done when it is repeated', async () => {
      const { projectionStore, reads } = store;
      await projectionStore.beginRebuild(products);
      const rebuilt = put([product('a')], { at: 1, generation: 'next' });
      await projectionStore.commit([rebuilt], [checkpoint(1, products, 'next')]);
      const outage: Promise<void>[] = [];
      once(/^update read_model_builds/u, 'drop after it ran', () => outage.push(proxy.close()));
      expect(await refusalOf(projectionStore.switchRebuild(products))).toBeInstanceOf(StoreUnavailable);
      await Promise.all(outage);
      await proxy.open();
      // The driver may still be finding its way back.
      await until('the repeated switch goes through', () =>
        projectionStore.switchRebuild(products).then(
          () => true,
          (error: unknown) => {
            if (error instanceof StoreUnavailable) return false;
            throw error;
          },
        ),
      );
      expect((await reads.get(products, 's1', 'a'))?.id).toBe('a');
    });

    test('a rebuild that another process began anew ends', async () => {
      const eventStore = new MemoryEventStore(LOG);
      const applier = await storeApplier(store.projectionStore, [], LOG);
      const beaten = {
        ...applier,
        collections: [products],
        beginRebuild: () => Promise.resolve(),
        switchRebuild: () => Promise.reject(new RebuildReplaced('products')),
      };
      const projections = await startProjections({ eventStore, applier: beaten, clock: settings.clock });
      expect(await refusalOf(projections.rebuild('products'))).toBeInstanceOf(RebuildReplaced);
      expect(projections.health()[0]?.state).toBe('live');
      await projections.close();
      await eventStore.close();
    });

    test('a build that begins while old ones are swept keeps its documents', async () => {
      const { projectionStore } = store;
      await projectionStore.beginRebuild(products);
      await projectionStore.switchRebuild(products);
      const later = openMongoLater();
      let begun: Promise<void> | undefined;
      proxy.fault = ({ name }) => {
        if (name !== 'listCollections' || begun) return undefined;
        begun = projectionStore
          .beginRebuild(products)
          .then(() => projectionStore.commit([put([product('a')], { at: 1, generation: 'next' })], []));
        return begun.then(() => undefined);
      };
      await (await later).sweep();
      await begun;
      proxy.fault = () => undefined;
      await projectionStore.switchRebuild(products);
      expect((await store.reads.get(products, 's1', 'a'))?.id).toBe('a');
    });

    test('a client that finds no server gives way to a new one that does', async () => {
      let made = 0;
      const newClient = () =>
        made++ === 0
          ? new MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 200 })
          : new MongoClient(proxy.through(url));
      const connection = Connection.open(proxy.through(url), newClient, 0);
      closing.push(() => connection.close());
      const read = () => connection.read(() => connection.collection('vault').findOne({}));
      expect(await refusalOf(read())).toBeInstanceOf(StoreUnavailable);
      await until('a new client has taken its place', async () => (await refusalOf(read())) === 'no refusal');
    });

    test('an address cannot weaken what reads and writes promise', async () => {
      const url = mongo.freshUrl();
      const weak = proxy.through(`${url}?readPreference=secondaryPreferred&w=1&journal=false&readConcernLevel=local`);
      const seen: Command[] = [];
      proxy.fault = (command) => {
        seen.push(command);
        return undefined;
      };
      const weakened = await openMongo({ ...settings, url: weak });
      await weakened.vault.write([row]);
      await weakened.vault.get('thing', 'a');
      await weakened.close();
      const of = (name: string) => seen.filter((each) => each.name === name).map(({ document }) => document);
      for (const insert of of('insert')) expect(insert['writeConcern']).toEqual({ w: 'majority', j: true });
      for (const find of of('find')) expect(find['readConcern']).toEqual({ level: 'majority' });
      for (const made of of('createIndexes')) expect(made['commitQuorum']).toBe('majority');
      expect(seen.every(({ document }) => !('$readPreference' in document))).toBe(true);
    });
  });
});
