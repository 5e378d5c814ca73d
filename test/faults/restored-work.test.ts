import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { dayOf } from '../../src/kernel/values/days.js';
import type { StoredEvent } from '../../src/ports/event-store.js';
import type { StoreAccess } from '../support/category-load.js';
import { callStore, newStoreOf } from '../support/category-load.js';
import { TAX_ID } from '../support/fiscal/notes.js';
import { FISCAL } from '../support/fiscal/store.js';
import type { ServiceProcess } from '../support/service-process.js';
import { freshFolder, startProgram, startService, stopAll, stopService } from '../support/service-process.js';
import { storedEvents } from '../support/stored-log.js';
import { until } from '../support/until.js';

/** Work that a log speaks of as open goes on after a restore, however the work ended beyond the moment. */

afterAll(stopAll);

async function run(script: string, words: readonly string[], dataDir: string): Promise<{ readonly added: unknown }> {
  const program = startProgram(`scripts/${script}.js`, words, { DATA_DIR: dataDir });
  const { code } = await program.ended;
  if (code !== 0) throw new Error(program.err);
  return JSON.parse(program.out) as { readonly added: unknown };
}

interface Shop {
  readonly service: ServiceProcess;
  readonly store: StoreAccess;
}

interface Named {
  readonly id: string;
  readonly status: string;
}
/** What answers have; each has some of it. */
interface Body extends Named {
  readonly items: readonly Named[];
  readonly variants: readonly Named[];
}

async function call({ service, store }: Shop, method: string, path: string, body?: object): Promise<Body> {
  const answer = await callStore(service.url, store, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body as Body;
}

async function soldSale(shop: Shop): Promise<string> {
  const product = { description: 'Pão', priceCash: 5, priceCredit: 5, stockQty: 100, ncm: '19059090' };
  const { variants } = await call(shop, 'POST', '/products', product);
  const items = [{ variantId: variants[0]?.id, quantity: 1, unitPrice: 5 }];
  const payments = [{ method: 'CREDIT', amount: 5, installments: 1 }];
  return (await call(shop, 'POST', '/sales', { items, payments })).id;
}

/** The number of the last event up to one of a type, which says the words where there are several. */
const positionOf = (events: readonly StoredEvent[], type: string, words = ''): string => {
  const found = events.findIndex((event) => event.type === type && event.data.includes(words));
  if (found < 0) throw new Error(`nothing says ${type}`);
  return String(found + 1);
};

/** As a minute after a change: all of its steps were taken, and nobody looks at it again. */
function forgetSecondLooks(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'events.db'));
  database.exec("delete from vault where kind in ('product-changes', 'memberships')");
  database.close();
}

let directory: string;
let events: readonly StoredEvent[];
let store: StoreAccess;
let saleId: string;
let documentId: string;
let jobId: string;
let deleted: Body;
const baker = { username: 'padeiro', email: 'padeiro@example.com', name: 'Rui', password: 'pães de cada dia' };

const documentStatus = async (shop: Shop): Promise<unknown> =>
  (await call(shop, 'GET', `/fiscal/documents/${documentId}`)).status;

async function jobStatus(shop: Shop): Promise<unknown> {
  const { items } = await call(shop, 'GET', '/card-fees/calc-jobs');
  return items.find(({ id }) => id === jobId)?.status;
}

/** A document and a recalculation that came to their ends, a document that still waits for the authority, and a product that was deleted. */
beforeAll(async () => {
  const dataDir = await freshFolder();
  directory = join(await freshFolder(), 'backup');
  const service = await startService(dataDir);
  store = await newStoreOf(dataDir);
  const shop = { service, store };
  await call(shop, 'PATCH', '/store', { taxId: TAX_ID, legalName: 'Padaria', fiscal: FISCAL });
  saleId = await soldSale(shop);
  const issued = await call(shop, 'POST', '/fiscal/documents', { saleId, model: 65 });
  documentId = issued.id;
  await call(shop, 'POST', `/fiscal/documents/${documentId}/cancel`, { reason: 'O cliente desistiu' });
  expect(await documentStatus(shop)).toBe('CANCELLED');
  const month = dayOf(Date.now(), 'America/Sao_Paulo').slice(0, 7);
  jobId = (await call(shop, 'POST', '/card-fees/calc-jobs', { month })).id;
  await until('the recalculation is done', async () => (await jobStatus(shop)) === 'DONE');
  const later = await soldSale(shop);
  await call(shop, 'PATCH', '/store', { fiscal: { simulatorOutage: true } });
  const waiting = await call(shop, 'POST', '/fiscal/documents', { saleId: later, model: 65 });
  expect(waiting.status).toBe('CONTINGENCY');
  deleted = await call(shop, 'POST', '/products', { description: 'Bolo', priceCash: 9, priceCredit: 9 });
  expect((await callStore(service.url, store, 'DELETE', `/products/${deleted.id}`)).status).toBe(204);
  const { id: bakerId } = await call(shop, 'POST', '/users', { ...baker, role: 'BAKER' });
  await callStore(service.url, store, 'DELETE', `/users/${bakerId}`);
  await stopService(service);
  forgetSecondLooks(dataDir);
  await run('backup', [directory], dataDir);
  events = await storedEvents(dataDir);
});

async function restoredTo(
  type: string,
  words?: string,
): Promise<Shop & { readonly folder: string; readonly added: unknown }> {
  const folder = await freshFolder();
  const { added } = await run('restore', [directory, '--at', positionOf(events, type, words)], folder);
  return { folder, added, service: await startService(folder), store };
}

test('a sale that was held for a document beyond the moment is free again', async () => {
  const shop = await restoredTo('SaleTaxingBegan');
  await until('it can be cancelled', async () => {
    const cancelled = await callStore(shop.service.url, store, 'POST', `/sales/${saleId}/cancel`, { reason: 'Engano' });
    return cancelled.status < 300;
  });
  await stopService(shop.service);
});

test('a document that was on its way becomes what the authority says by now, and of one beyond the moment nothing is said', async () => {
  const shop = await restoredTo('DocumentPrepared');
  // The number of the one beyond is told to who restores.
  const advanced = { type: 'NumberingAdvanced', data: { model: 65, series: 1, next: 3 } };
  expect(shop.added).toMatchObject([{ type: 'LogRestored' }, advanced]);
  await until('it is cancelled', async () => (await documentStatus(shop)) === 'CANCELLED');
  await stopService(shop.service);
  const kept = Number(positionOf(events, 'DocumentPrepared'));
  const said = (await storedEvents(shop.folder)).slice(kept).map(({ type }) => type);
  const restored = ['LogRestored', 'NumberingAdvanced'];
  const ended = ['DocumentAuthorized', 'DocumentCancellationRequested', 'DocumentCancelled', 'SaleTaxingEnded'];
  expect(said).toEqual([...restored, ...ended]);
});

test('a cancellation that was asked for is told to the authority', async () => {
  const shop = await restoredTo('DocumentCancellationRequested');
  await until('it is cancelled', async () => (await documentStatus(shop)) === 'CANCELLED');
  await stopService(shop.service);
});

test('a recalculation of fees goes on', async () => {
  const shop = await restoredTo('FeeJobQueued');
  await until('it is done', async () => (await jobStatus(shop)) === 'DONE');
  await stopService(shop.service);
});

test('goods that were about to be deleted with their product are received as before', async () => {
  const shop = await restoredTo('VariantsRetired');
  const items = [{ variantId: deleted.variants[0]?.id, quantity: 2, unitCost: 3 }];
  await until('they can be received', async () => {
    const received = await callStore(shop.service.url, store, 'POST', '/stock/receipts', { items });
    return received.status === 201;
  });
  await stopService(shop.service);
});

test.each([
  ['was about to be added', 'AccountRegistered', baker.username],
  ['was about to be removed', 'MemberRemoved', undefined],
])('a user name is free whose holder %s', async (_, type, words) => {
  const shop = await restoredTo(type, words);
  const other = await newStoreOf(shop.folder);
  await until('another store can add a user of this name', async () => {
    const added = await callStore(shop.service.url, other, 'POST', '/users', { ...baker, role: 'BAKER' });
    return added.status === 201;
  });
  await stopService(shop.service);
});
