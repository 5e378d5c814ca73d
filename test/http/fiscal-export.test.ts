import { afterAll, expect, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { granted } from '../support/bakery.js';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import { unzipped } from '../support/unzipped.js';
import { openWorld } from '../support/world.js';

/** What an accountant gets of a month. */

const NOVEMBER = '2026-11-30T23:50:00-03:00';
const DECEMBER = '2026-12-01T00:10:00-03:00';
const REASON = 'Cliente desistiu da compra';

let now = Date.parse(NOVEMBER);
const world = await openWorld({ clock: { now: () => now++ } });
afterAll(() => world.close());
const store = await fiscalStore(world);

async function issued(product: object = {}): Promise<FiscalRecord> {
  const { saleId } = await soldSale(store, product);
  return (await granted(store.call('POST', '/fiscal/documents', { saleId, model: 65 }))).body as FiscalRecord;
}

const asked = async ({ id }: FiscalRecord, command: string): Promise<FiscalRecord> =>
  (await granted(store.call('POST', `/fiscal/documents/${id}/${command}`, { reason: REASON }))).body as FiscalRecord;

async function filesOf(month: string, { key, slug } = store): Promise<ReadonlyMap<string, string>> {
  const headers = { authorization: `Bearer ${key}`, 'x-store-slug': slug };
  const answer = await fetch(`${world.url}/fiscal/documents/export?month=${month}`, { headers });
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="fiscal-${month}.zip"`);
  return unzipped(Buffer.from(await answer.arrayBuffer()));
}

test('a month holds what the authority has of it, by the clock of the store, and the numbers that were given up', async () => {
  const kept = await issued();
  const cancelled = await asked(await issued(), 'cancel');
  const rejected = await issued({ ncm: null });
  const voided = await asked(await issued({ ncm: null }), 'void');
  now = Date.parse(DECEMBER);
  const later = await issued();
  expect([kept, cancelled, rejected, voided, later].map(({ status }) => status)).toEqual([
    'AUTHORIZED',
    'CANCELLED',
    'REJECTED',
    'VOIDED',
    'AUTHORIZED',
  ]);

  const november = await filesOf('2026-11');
  expect([...november.keys()]).toEqual([
    `65/${String(kept.accessKey)}-procNFe.xml`,
    `65/${String(cancelled.accessKey)}-procNFe.xml`,
    `65/${String(cancelled.accessKey)}-110111-procEventoNFe.xml`,
    `65/serie-1-numero-${String(voided.number)}-ProcInutNFe.xml`,
  ]);
  const [note, , event, given] = [...november.values()];
  expect(note).toContain(`<nProt>${String(kept.protocol)}</nProt>`);
  expect(event).toContain(`<nProt>${String(cancelled.cancellation?.protocol)}</nProt>`);
  expect(given).toContain(`<nProt>${String(voided.voided?.protocol)}</nProt>`);
  expect([...(await filesOf('2026-12')).keys()]).toEqual([`65/${String(later.accessKey)}-procNFe.xml`]);
  for (const none of ['2026-10', '0000-01', '9999-12']) expect((await filesOf(none)).size).toBe(0);
});

test('a document stays in the month that it says itself when the store moves to another time zone', async () => {
  const moving = await fiscalStore(world);
  now = Math.max(now, Date.parse(DECEMBER));
  const { saleId } = await soldSale(moving);
  const { body } = await granted(moving.call('POST', '/fiscal/documents', { saleId, model: 65 }));
  await granted(moving.call('PATCH', '/store', { timeZone: 'America/Manaus' }));
  expect((await filesOf('2026-11', moving)).size).toBe(0);
  expect([...(await filesOf('2026-12', moving)).keys()]).toEqual([`65/${String(body.accessKey)}-procNFe.xml`]);
});
