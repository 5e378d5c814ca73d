import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { TAX_ID } from '../support/fiscal/notes.js';
import { FISCAL, soldSale } from '../support/fiscal/store.js';
import { asPfx, companyCertificate, testAuthority } from '../support/tax-authority/certificates.js';
import { startSoapStandIn } from '../support/tax-authority/servers.js';
import { until } from '../support/until.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** `FAULT_DOCUMENTS=1000` for a thorough run. */
const DOCUMENTS = Number(process.env['FAULT_DOCUMENTS'] ?? 120);
const AT_ONCE = 12;
const LOST = 0.05;
const MINUTE = 60_000;
const PATIENCE = 60_000 + DOCUMENTS * 600;

let later = 0;
const clock = { now: () => Date.now() + later };
let standIn: Awaited<ReturnType<typeof startSoapStandIn>>;
let world: World;
beforeAll(async () => {
  standIn = await startSoapStandIn({ checks: false, now: clock.now });
  const env = { FISCAL_AUTHORITY: 'sefaz', SEFAZ_ADDRESSES: standIn.impatientFile, SEFAZ_CA_FILE: standIn.caFile };
  world = await openWorld({ clock, env });
});
afterAll(async () => {
  await world.close();
  await standIn.close();
});

async function storeOf(taxId: string, offline65: boolean): Promise<StoreClient> {
  const store = await world.newStore();
  const content = asPfx(companyCertificate(testAuthority(), taxId), 'senha');
  const certificate = { format: 'PFX', content, password: 'senha' };
  const fiscal = { ...FISCAL, certificate, offline65 };
  const set = await store.call('PATCH', '/store', { taxId, legalName: 'Padaria', fiscal });
  if (set.status !== 200) throw new Error(set.text);
  return store;
}

async function documentsOf(store: StoreClient): Promise<FiscalRecord[]> {
  const found: FiscalRecord[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await store.call('GET', `/fiscal/documents?limit=100${after}`);
    found.push(...(body.items as FiscalRecord[]));
    cursor = body.nextCursor as string | null;
  }
  return found;
}

/** What the authority is like while the documents of a run go in. */
function weather(done: number): void {
  const part = done / DOCUMENTS;
  standIn.isAway = part >= 0.4 && part < 0.6;
  // The first of those that it takes again wait for ever.
  standIn.faultAt = (service, count) => {
    if (part >= 0.6 && part < 0.65) return 'hang';
    const isLost = service === 'authorization' && (count * 7919) % 100 < LOST * 100;
    return isLost ? 'break-after' : undefined;
  };
}

test(
  'documents through an authority that goes away, hangs and loses answers each end once',
  async () => {
    // One that may go offline, and one that must wait.
    const stores = [await storeOf(TAX_ID, true), await storeOf('99888777000100', false)];
    const sales: (readonly [StoreClient, string])[] = [];
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < DOCUMENTS) {
        const number = next++;
        weather(number);
        const store = stores[number % stores.length] ?? stores[0];
        if (!store) return;
        const { saleId } = await soldSale(store);
        sales.push([store, saleId]);
        const issued = await store.call('POST', '/fiscal/documents', { saleId, model: 65 });
        expect(issued.status).toBe(201);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    weather(DOCUMENTS);
    later += 2 * MINUTE;

    const isOpen = ({ status, replacedBy }: FiscalRecord): boolean =>
      status === 'PENDING' || status === 'CONTINGENCY' || (status === 'AUTHORIZED' && replacedBy !== null);
    await until(
      'every document is where it stays',
      async () => {
        later += MINUTE;
        const all = (await Promise.all(stores.map(documentsOf))).flat();
        return !all.some(isOpen);
      },
      PATIENCE,
    );

    for (const store of stores) {
      const documents = await documentsOf(store);
      const authorized = documents.filter(({ status }) => status === 'AUTHORIZED');
      const own = sales.filter(([one]) => one === store).map(([, saleId]) => saleId);
      expect(authorized.map(({ saleId }) => saleId).sort()).toEqual(own.sort());
      const numbers = documents.map(({ number }) => number ?? 0).sort((a, b) => a - b);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      const issuer = authorized[0]?.accessKey?.slice(6, 20) ?? '';
      const counted = [...standIn.authority.taken].filter(([key]) => key.slice(6, 20) === issuer);
      const live = counted.filter(([, { cancelled }]) => cancelled === undefined).map(([key]) => key);
      expect(live.sort()).toEqual(authorized.map(({ accessKey }) => accessKey ?? '').sort());
    }
    expect(standIn.authority.complaints).toEqual([]);
  },
  PATIENCE + DOCUMENTS * 600,
);
