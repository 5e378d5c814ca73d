import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import type { Fault, Operation } from '../../src/adapters/fiscal-simulator/simulator.js';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import { wholeLog } from '../support/people.js';
import { until } from '../support/until.js';
import { openWorld } from '../support/world.js';

/** An authority whose answers get lost, or that is away, and that counts what it is told. */

const STEP = 10_000;
let later = 0;
let faults: Partial<Record<Operation, Fault>> = {};
let told: string[] = [];
let asked: string[] = [];
const world = await openWorld({
  clock: { now: () => Date.now() + later },
  authorityFaults(operation, key) {
    if (operation === 'authorize') told.push(key);
    if (operation === 'query') asked.push(key);
    return faults[operation];
  },
});
afterAll(() => world.close());
const store = await fiscalStore(world);
beforeEach(() => {
  faults = {};
  told = [];
});

const issue = async (headers: Readonly<Record<string, string>> = {}): Promise<FiscalRecord> => {
  const { saleId } = await soldSale(store);
  return (await store.call('POST', '/fiscal/documents', { saleId, model: 65 }, headers)).body as FiscalRecord;
};
const issueOffline = async (): Promise<FiscalRecord> => {
  const { saleId } = await soldSale(store);
  const body = { saleId, model: 65, contingency: true };
  return (await store.call('POST', '/fiscal/documents', body)).body as FiscalRecord;
};
const read = async (id: string): Promise<FiscalRecord> =>
  (await store.call('GET', `/fiscal/documents/${id}`)).body as FiscalRecord;

describe('an authority that cannot be relied on', () => {
  test('is asked soon, and once, of what waits when it answers again after a long silence', async () => {
    faults = { authorize: 'answer-lost', query: 'answer-lost' };
    const waiting = [await issueOffline(), await issueOffline()];
    const dueOf = async ({ id }: FiscalRecord): Promise<number> => {
      const row = await world.service.core.engines.vault.get('fiscal-work', `${store.storeId}/${id}`);
      return (row?.dueAt ?? 0) - Date.now() - later;
    };
    for (const document of waiting) {
      await until('it waits long to be asked about', async () => {
        const due = await dueOf(document);
        if (due > 0 && due < 130_000) later += STEP;
        // What somebody is at is leased for two and a half minutes.
        return due > 200_000;
      });
    }
    faults = {};
    asked = [];
    expect(await issue()).toMatchObject({ status: 'AUTHORIZED' });
    // Long before they would be asked about otherwise.
    for (const { id } of waiting) await until('it is known', async () => (await read(id)).status === 'AUTHORIZED');
    expect(asked.toSorted()).toEqual(waiting.map(({ accessKey }) => accessKey).toSorted());
    expect(told.filter((key) => key === waiting[0]?.accessKey)).toHaveLength(1);
  });

  test('is asked by key when its answer was lost, and told once', async () => {
    faults = { authorize: 'answer-lost' };
    const document = await issue();
    expect(document).toMatchObject({ status: 'AUTHORIZED' });
    expect(told).toEqual([document.accessKey]);
  });

  test('that was away from the start leaves the number to the offline document', async () => {
    faults = { authorize: 'away', query: 'away' };
    const document = await issue();
    expect(document).toMatchObject({ status: 'CONTINGENCY', contingency: { type: 'OFFLINE' }, replaces: null });
    expect(document.accessKey?.[34]).toBe('9');
  });

  test('that may have it gets no second one under its number: what was authorized meanwhile is taken back', async () => {
    faults = { authorize: 'answer-lost', query: 'away' };
    const first = await issue();
    expect(first).toMatchObject({ status: 'PENDING' });
    const offline = await read(first.replacedBy ?? '');
    expect(offline).toMatchObject({ status: 'CONTINGENCY', number: (first.number ?? 0) + 1, replaces: first.id });
    expect(await store.call('POST', `/fiscal/documents/${first.id}/transmit`)).toMatchObject({
      status: 409,
      body: { code: 'DOCUMENT_REPLACED' },
    });
    faults = {};
    const becomes = (id: string, status: string) => async () => (await read(id)).status === status;
    await until('the first is taken back', becomes(first.id, 'CANCELLED'));
    await until('the offline one is authorized', becomes(offline.id, 'AUTHORIZED'));
  });

  test('that may have it gets the offline one also where the request has an idempotency key, and the sale stays taxed', async () => {
    faults = { authorize: 'answer-lost', query: 'away' };
    const first = await issue({ 'Idempotency-Key': 'issued-once' });
    expect(first).toMatchObject({ status: 'PENDING', replacedBy: expect.any(String) });
    const offline = await read(first.replacedBy ?? '');
    expect(offline).toMatchObject({ status: 'CONTINGENCY', number: (first.number ?? 0) + 1, replaces: first.id });
    const cancelling = await store.call('POST', `/sales/${first.saleId}/cancel`, { reason: 'Engano' });
    expect(cancelling).toMatchObject({ status: 409, body: { code: 'DOCUMENT_LIVE', documentId: offline.id } });
  });

  test('has events of different ids for each of the two documents', async () => {
    faults = { authorize: 'answer-lost', query: 'away' };
    const { id, replacedBy } = await issue();
    const log = await wholeLog(world);
    const ids = log.filter(({ data }) => data.includes(id) || data.includes(replacedBy ?? '')).map((event) => event.id);
    expect(ids.length).toBeGreaterThan(3);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('what was authorized so long ago that it cannot be cancelled is cancelled by the document in its place', async () => {
    faults = { authorize: 'answer-lost', query: 'away' };
    const first = await issue();
    const offline = await read(first.replacedBy ?? '');
    later += 60 * 60_000;
    faults = {};
    const isCancelled = async () => {
      later += STEP;
      return (await read(first.id)).status === 'CANCELLED';
    };
    await until('the first is taken back', isCancelled);
    expect(await read(offline.id)).toMatchObject({ status: 'AUTHORIZED' });
    const event = await store.call('GET', `/fiscal/documents/${first.id}/xml?part=cancellation`);
    expect(event.headers.get('content-disposition')).toContain('-110112-procEventoNFe.xml');
    expect(event.text).toMatch(
      new RegExp(
        `<descEvento>Cancelamento por substituicao</descEvento><cOrgaoAutor>35</cOrgaoAutor><tpAutor>1</tpAutor><verAplic>[^<]+</verAplic><nProt>[0-9]{15}</nProt><xJust>[^<]+</xJust><chNFeRef>${offline.accessKey ?? ''}</chNFeRef></detEvento>`,
      ),
    );
  });

  test('the document that the customer got in the place of another stands before it in lists', async () => {
    faults = { authorize: 'answer-lost', query: 'away' };
    // Both have the time of the request, so that any order of them may come by chance.
    for (let count = 0; count < 8; count++) {
      const { id, saleId, replacedBy } = await issue();
      const { body } = await store.call('GET', `/fiscal/documents/by-sale/${saleId}`);
      expect((body as readonly FiscalRecord[]).map((document) => document.id)).toEqual([replacedBy, id]);
      const { items } = (await store.call('GET', '/fiscal/documents?limit=2')).body;
      expect((items as readonly FiscalRecord[]).map((document) => document.id)).toEqual([replacedBy, id]);
    }
  });
});
