import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { FiscalSettings, FiscalSettingsBody } from '../../../src/features/contracts/fiscal-settings.js';
import { NO_FISCAL_SETTINGS, withFiscalChange } from '../../../src/features/contracts/fiscal-settings.js';
import { SettingsKeeper } from '../../../src/features/fiscal/settings-keeper.js';
import { isSameJson } from '../../../src/kernel/values/difference.js';
import { TAX_ID } from '../../support/fiscal/notes.js';
import { asPfx, companyCertificate, testAuthority } from '../../support/tax-authority/certificates.js';
import { openUsers } from '../../support/users.js';

const STORE = 'aurora';
const PASSWORD = 'senha';

/** The settings of a store where rows are stored with the fact that they go with, or, on servers, before it: it may still be refused. */
function openSettings({ rowsFirst }: { readonly rowsFirst: boolean }) {
  const users = openUsers(Date.now);
  const keeper = new SettingsKeeper(users.vault, users.clock, users.stores);
  return {
    vault: users.vault,
    tokenOf: async (settings: FiscalSettings) => (await keeper.securityCode(STORE, settings))?.token,
    signerOf: (settings: FiscalSettings) => keeper.signer(STORE, settings, { taxId: TAX_ID, name: 'Aurora' }),
    /** What the settings become where the change is not refused. */
    async change(before: FiscalSettings, body: FiscalSettingsBody): Promise<FiscalSettings> {
      const { settings, rows } = await keeper.changed(users.context(STORE), before, body, TAX_ID);
      const after = withFiscalChange(before, settings);
      if (rowsFirst || !isSameJson(after, before)) {
        await users.vault.write(rows);
      }
      return after;
    },
    /** A change up to its fact, and what happens after that. */
    async begin(before: FiscalSettings, body: FiscalSettingsBody) {
      const { settings, rows } = await keeper.changed(users.context(STORE), before, body, TAX_ID);
      await users.vault.write(rows);
      return {
        after: withFiscalChange(before, settings),
        /** Recorded behind these settings. */
        end: (former: FiscalSettings) =>
          users.vault.write(keeper.ended(STORE, former, withFiscalChange(before, settings))),
      };
    },
  };
}

const handedIn = (): FiscalSettingsBody => {
  const content = asPfx(companyCertificate(testAuthority(), TAX_ID), PASSWORD);
  return { certificate: { format: 'PFX', content, password: PASSWORD } };
};

test('a change that is refused leaves the token that counts as it was', async () => {
  const { change, tokenOf } = openSettings({ rowsFirst: true });
  const settings = await change(NO_FISCAL_SETTINGS, { csc: { id: '1', token: 'counts' } });
  await change(settings, { csc: { id: '1', token: 'refused' } });
  expect(await tokenOf(settings)).toBe('counts');
});

test('a token of an earlier release counts until there is another, and is no other when it is entered again', async () => {
  const { change, tokenOf, vault } = openSettings({ rowsFirst: false });
  const settings = { ...NO_FISCAL_SETTINGS, cscId: '1' };
  await vault.write([{ kind: 'fiscal-csc', id: STORE, value: { token: 'old' }, expected: 'absent' }]);
  expect(await tokenOf(settings)).toBe('old');
  expect(await change(settings, { csc: { id: '1', token: 'old' } })).toEqual(settings);
  expect(await tokenOf(await change(settings, { csc: { id: '1', token: 'new' } }))).toBe('new');
});

test('the certificate in force is there again once it is handed in again', async () => {
  const { change, signerOf, vault } = openSettings({ rowsFirst: false });
  const body = handedIn();
  const settings = await change(NO_FISCAL_SETTINGS, body);
  const [kept] = await vault.list('fiscal-certificate', { limit: 10 });
  await vault.write([{ kind: 'fiscal-certificate', id: kept?.id ?? '', value: undefined, expected: 'any' }]);
  expect(await signerOf(settings)).toBeUndefined();
  expect(await signerOf(await change(settings, body))).toBeDefined();
});

test('a certificate that is handed in again while another takes its place keeps its key', async () => {
  const { change, begin, signerOf, vault } = openSettings({ rowsFirst: true });
  const body = handedIn();
  const settings = await change(NO_FISCAL_SETTINGS, body);
  const again = await begin(settings, body);
  const another = await begin(settings, handedIn());
  // Recorded in this order: the first one is in force in the end.
  await another.end(settings);
  await again.end(another.after);
  expect(await signerOf(again.after)).toBeDefined();
  expect(await vault.list('fiscal-certificate', { limit: 10 })).toHaveLength(1);
});

test('a certificate of an earlier release signs until there is another', async () => {
  const { change, signerOf, vault } = openSettings({ rowsFirst: false });
  const { certificate, ...settings } = await change(NO_FISCAL_SETTINGS, handedIn());
  const [kept] = await vault.list('fiscal-certificate', { limit: 10 });
  const { subject = '', expiresAt = '', fingerprint = '' } = certificate ?? {};
  const named = { subject, expiresAt, fingerprint };
  const digest = createHash('sha256').update(fingerprint).digest('hex').slice(0, 32);
  const row = {
    kind: 'fiscal-certificate',
    id: `${STORE}/own/${digest}`,
    value: kept?.value,
    expected: 'absent',
  } as const;
  await vault.write([row]);
  expect(await signerOf({ ...settings, certificate: named })).toBeDefined();
});
