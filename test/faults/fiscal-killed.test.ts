import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import type { StoreAccess } from '../support/category-load.js';
import { callStore, newStoreOf } from '../support/category-load.js';
import { TAX_ID } from '../support/fiscal/notes.js';
import { FISCAL } from '../support/fiscal/store.js';
import type { ServiceProcess } from '../support/service-process.js';
import { freshFolder, startService, stopAll } from '../support/service-process.js';
import { asPfx, companyCertificate, testAuthority } from '../support/tax-authority/certificates.js';
import { startSoapStandIn } from '../support/tax-authority/servers.js';
import { until } from '../support/until.js';

/** Where the service is killed: before a document is fixed, on its way, while its answer comes, and when it is there. */
const MOMENTS = ['before', 'arriving', 'taken', 'answered'] as const;
/** How often at each moment; `FAULT_ROUNDS=50` for a thorough run. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1);
const SALES = 8;
const AT_ONCE = 32;
/** Every round leaves some sales to be asked for again. */
const PATIENCE = 180_000 + ROUNDS * 10_000;
const PASSWORD = 'senha';
/** Within ten seconds, and what a busy machine adds. */
const STOPPED_WITHIN = 15_000;

let standIn: Awaited<ReturnType<typeof startSoapStandIn>>;
let dataDir: string;
let service: ServiceProcess;
let store: StoreAccess;

const start = (): Promise<ServiceProcess> =>
  startService(dataDir, {
    FISCAL_AUTHORITY: 'sefaz',
    SEFAZ_ADDRESSES: standIn.addressFile,
    SEFAZ_CA_FILE: standIn.caFile,
  });

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- who asks knows what is answered
async function call<T>(method: string, path: string, body?: object): Promise<{ status: number; body: T }> {
  const { status, text } = await callStore(service.url, store, method, path, body);
  return { status, body: JSON.parse(text) as T };
}

beforeAll(async () => {
  standIn = await startSoapStandIn({ checks: false });
  dataDir = await freshFolder();
  service = await start();
  store = await newStoreOf(dataDir);
  const content = asPfx(companyCertificate(testAuthority(), TAX_ID), PASSWORD);
  const fiscal = { ...FISCAL, certificate: { format: 'PFX', content, password: PASSWORD } };
  const set = await call('PATCH', '/store', { taxId: TAX_ID, legalName: 'Padaria', fiscal });
  expect(set.status).toBe(200);
});
afterAll(async () => {
  await stopAll();
  await standIn.close();
});

let variantId: string | undefined;

async function soldSale(): Promise<string> {
  if (variantId === undefined) {
    const product = { description: 'Pão', priceCash: 5, priceCredit: 5, stockQty: 100_000, ncm: '19059090' };
    variantId = (await call<{ variants: { id: string }[] }>('POST', '/products', product)).body.variants[0]?.id ?? '';
  }
  const items = [{ variantId, quantity: 1, unitPrice: 5 }];
  const sold = await call<{ id: string }>('POST', '/sales', { items, payments: [{ method: 'PIX', amount: 5 }] });
  return sold.body.id;
}

const issue = (saleId: string) => call<FiscalRecord>('POST', '/fiscal/documents', { saleId, model: 65 });

async function killAt(moment: (typeof MOMENTS)[number], sales: readonly string[]): Promise<void> {
  const victim = service;
  const at = 2 + Math.floor(Math.random() * (SALES - 3));
  let seen = 0;
  standIn.faultAt = (asked) => {
    if (asked !== 'authorization' || ++seen !== at || moment === 'before') return undefined;
    if (moment === 'answered')
      setTimeout(() => {
        victim.kill('SIGKILL');
      }, Math.random() * 20);
    else victim.kill('SIGKILL');
    if (moment === 'arriving') return 'break-before';
    return moment === 'taken' ? 'hang' : undefined;
  };
  const asking = sales.map((saleId) => issue(saleId).catch(() => undefined));
  if (moment === 'before') {
    await pause(Math.random() * 60);
    victim.kill('SIGKILL');
  }
  await Promise.all(asking);
  await victim.ended;
  standIn.faultAt = () => undefined;
}

const documents = async (): Promise<readonly FiscalRecord[]> => {
  const found: FiscalRecord[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    type Page = { items: FiscalRecord[]; nextCursor: string | null };
    const { body }: { body: Page } = await call<Page>('GET', `/fiscal/documents?limit=100${query}`);
    found.push(...body.items);
    cursor = body.nextCursor;
  }
  return found;
};

const isOpen = ({ status, replacedBy }: FiscalRecord): boolean =>
  status === 'PENDING' || status === 'CONTINGENCY' || (status === 'AUTHORIZED' && replacedBy !== null);

/** Asked for now and then: the service has other work. */
const settled = () =>
  until(
    'nothing is on its way',
    async () => {
      await pause(300);
      return !(await documents()).some(isOpen);
    },
    PATIENCE,
  );

test(
  'a stop does not wait for an authority that is silent, and what it was asked is asked again',
  async () => {
    standIn.faultAt = () => 'hang';
    const sales = await Promise.all([soldSale(), soldSale()]);
    const asking = sales.map((saleId) => issue(saleId).catch(() => undefined));
    await until('the documents are on their way', async () => (await documents()).length === sales.length);
    service.kill('SIGKILL');
    await Promise.all(asking);
    let isAsked = false;
    standIn.faultAt = () => {
      isAsked = true;
      return 'hang';
    };
    service = await start();
    await until('it asks about them', () => isAsked);
    const began = performance.now();
    service.kill('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    // An answer may take twice as long, and others wait behind it.
    expect(performance.now() - began).toBeLessThan(STOPPED_WITHIN);
    standIn.faultAt = () => undefined;
    service = await start();
    await settled();
    expect((await documents()).map(({ status, replacedBy }) => [status, replacedBy])).toEqual(
      sales.map(() => ['AUTHORIZED', null]),
    );
  },
  PATIENCE,
);

test(
  'wherever the service is killed, each sale is taxed once and every number has its end',
  async () => {
    const all = (await documents()).map(({ saleId }) => saleId);
    for (let round = 0; round < ROUNDS; round++) {
      for (const moment of MOMENTS) {
        const sales = await Promise.all(Array.from({ length: SALES }, soldSale));
        all.push(...sales);
        await killAt(moment, sales);
        service = await start();
      }
    }
    await settled();
    // What was asked for in vain is asked for again.
    await until(
      'every sale is taxed',
      async () => {
        const taxed = new Set(
          (await documents()).filter((one) => one.status === 'AUTHORIZED').map((one) => one.saleId),
        );
        const left = all.filter((saleId) => !taxed.has(saleId));
        const again = left.slice(0, AT_ONCE);
        for (const { status } of await Promise.all(again.map(issue))) expect([201, 409]).toContain(status);
        await pause(300);
        return left.length === 0;
      },
      PATIENCE,
    );
    await settled();

    const ended = await documents();
    const authorized = ended.filter(({ status }) => status === 'AUTHORIZED');
    expect(authorized.map(({ saleId }) => saleId).sort()).toEqual(all.sort());
    const numbers = ended.flatMap(({ number }) => number ?? []).sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    const live = [...standIn.authority.taken].filter(([, { cancelled }]) => cancelled === undefined);
    expect(live.map(([key]) => key).sort()).toEqual(authorized.map(({ accessKey }) => accessKey ?? '').sort());
  },
  ROUNDS * MOMENTS.length * 60_000 + 2 * PATIENCE,
);
