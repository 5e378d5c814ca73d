import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { NO_FISCAL_SETTINGS } from '../../../src/features/contracts/fiscal-settings.js';
import { WorkRows } from '../../../src/features/fiscal/issuing/work-rows.js';
import { FiscalWatch } from '../../../src/features/fiscal/watching/fiscal-watch.js';
import { newId } from '../../../src/kernel/values/ids.js';
import { MemoryVault } from '../../support/memory-vault.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test('certificates are told of 30 days before they expire, documents when the authority has not had them for 20 hours', async () => {
  let now = Date.parse('2026-11-22T12:00:00Z');
  const clock = { now: () => now };
  const vault = new MemoryVault(() => now);
  const work = new WorkRows(vault, clock);
  const expiring = (days: number) => ({
    fiscal: {
      ...NO_FISCAL_SETTINGS,
      certificate: { subject: 'CN=A', expiresAt: new Date(now + days * DAY).toISOString(), fingerprint: 'f' },
    },
  });
  const stores = [expiring(40), expiring(200), { fiscal: NO_FISCAL_SETTINGS }];
  const watch = new FiscalWatch({ stores: { all: () => Promise.resolve(stores) }, work, clock });
  const registry = new Registry();
  watch.register(registry);
  await work.postpone({ storeId: 's', documentId: newId(now), saleId: 'a' }, 'nothing');
  // The cancellation of a document that is three days old has waited since this moment alone.
  await vault.write([work.row({ storeId: 's', documentId: newId(now - 3 * DAY), saleId: 'b' })]);
  await watch.look();
  expect(watch.status()).toEqual({ ok: true, certificatesExpiring: 0, documentsOverdue: 0 });
  expect(await registry.metrics()).toMatch(/^fiscal_certificate_days_left 40$/m);

  now += 21 * HOUR;
  await watch.look();
  expect(watch.status()).toEqual({ ok: false, certificatesExpiring: 0, documentsOverdue: 2 });
  now += 10 * DAY;
  expect(watch.status()).toMatchObject({ ok: false, certificatesExpiring: 1 });
  expect(await registry.metrics()).toMatch(/^fiscal_documents_overdue 2$/m);
});

test('where no store has a certificate, none is about to expire', async () => {
  const clock = { now: () => Date.parse('2026-11-22T12:00:00Z') };
  const work = new WorkRows(new MemoryVault(clock.now), clock);
  const stores = { all: () => Promise.resolve([{ fiscal: NO_FISCAL_SETTINGS }]) };
  const watch = new FiscalWatch({ stores, work, clock });
  const registry = new Registry();
  watch.register(registry);
  await watch.look();
  expect(await registry.metrics()).toMatch(/^fiscal_certificate_days_left \+Inf$/m);
});
