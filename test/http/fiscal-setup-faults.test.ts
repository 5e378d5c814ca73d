import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { TAX_ID } from '../support/fiscal/notes.js';
import { soldSale } from '../support/fiscal/store.js';
import { asPfx, companyCertificate, testAuthority } from '../support/tax-authority/certificates.js';
import { startSoapStandIn } from '../support/tax-authority/servers.js';
import { certifiedStore } from '../support/tax-authority/stores.js';
import { until } from '../support/until.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A store whose certificate the authority does not take. */

let later = 0;
const clock = { now: () => Date.now() + later };
const PROBED_AGAIN = 181_000;
const MINUTES = 301_000;
let standIn: Awaited<ReturnType<typeof startSoapStandIn>>;
let world: World;
let store: StoreClient;
beforeAll(async () => {
  standIn = await startSoapStandIn({ now: clock.now });
  const env = { FISCAL_AUTHORITY: 'sefaz', SEFAZ_ADDRESSES: standIn.addressFile, SEFAZ_CA_FILE: standIn.caFile };
  world = await openWorld({ clock, env });
  store = await certifiedStore(world, TAX_ID);
});
afterAll(async () => {
  await world.close();
  expect(standIn.authority.complaints).toEqual([]);
  await standIn.close();
});

async function issued(): Promise<FiscalRecord> {
  const { saleId } = await soldSale(store);
  return (await store.call('POST', '/fiscal/documents', { saleId, model: 65 })).body as FiscalRecord;
}
const read = async (id: string): Promise<FiscalRecord> =>
  (await store.call('GET', `/fiscal/documents/${id}`)).body as FiscalRecord;

test('who issues is told, and sends it again after the mend', async () => {
  const { authority } = standIn;
  authority.documentsRefusedWith = '281';
  const refused = await issued();
  expect(refused).toMatchObject({ status: 'REJECTED', rejection: { code: '281' }, numberTaken: false });
  authority.documentsRefusedWith = undefined;
  const sent = await store.call('POST', `/fiscal/documents/${refused.id}/transmit`);
  expect(sent.body).toMatchObject({ status: 'AUTHORIZED', number: refused.number });
});

test('what customers have already waits, one try speaks for all, and is signed anew with another certificate', async () => {
  const { authority } = standIn;
  authority.closedWith = '108';
  const waiting = [await issued(), await issued(), await issued()];
  expect(waiting.map(({ status }) => status)).toEqual(['CONTINGENCY', 'CONTINGENCY', 'CONTINGENCY']);
  authority.closedWith = undefined;
  authority.documentsRefusedWith = '290';
  const before = authority.handedIn.length;
  later += PROBED_AGAIN;
  await until('one was tried', () => authority.handedIn.length > before);
  // Those that were on their way together may each have asked.
  const tried = async (): Promise<number> => {
    const count = authority.handedIn.length;
    later += MINUTES;
    await until('they were looked at again', async () => (await dueLater()) >= waiting.length);
    return authority.handedIn.length - count;
  };
  const dueLater = async (): Promise<number> => {
    const rows = await world.service.core.engines.vault.due('fiscal-work', Number.MAX_SAFE_INTEGER, 100);
    // One that is being tried is due later as well, and does not say how the try before ended.
    return rows.filter(({ dueAt, value }) => (dueAt ?? 0) > clock.now() && 'unsent' in (value as object)).length;
  };
  await tried();
  expect(await tried()).toBe(0);
  expect((await Promise.all(waiting.map(({ id }) => read(id)))).map(({ status }) => status)).toEqual(
    waiting.map(() => 'CONTINGENCY'),
  );

  const content = asPfx(companyCertificate(testAuthority(), TAX_ID), 'senha');
  await store.call('PATCH', '/store', { fiscal: { certificate: { format: 'PFX', content, password: 'senha' } } });
  // What the former certificate signed is refused as before.
  later += MINUTES;
  const anew = async (): Promise<boolean> =>
    (await Promise.all(waiting.map(({ id }) => read(id)))).every(
      ({ issuedAt }, index) => issuedAt !== waiting[index]?.issuedAt,
    );
  await until('they are signed anew', anew);
  authority.documentsRefusedWith = undefined;
  later += MINUTES;
  for (const { id, number } of waiting) {
    await until('it is authorized', async () => (await read(id)).status === 'AUTHORIZED');
    expect(await read(id)).toMatchObject({ number, contingency: { type: 'OFFLINE' } });
  }
});
