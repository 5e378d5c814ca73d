import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { identityOf } from '../../src/features/fiscal/signing/certificates.js';
import {
  cancellationXml,
  eventDocument,
  voidDocument,
  voidXml,
} from '../../src/features/fiscal/domain/xml/event-xml.js';
import { signatureOf } from '../../src/features/fiscal/signing/xml-signature.js';
import { writtenNote } from '../support/fiscal/written-note.js';
import type { AuthorityClient, FiscalAuthority, SignedDocument } from '../../src/ports/fiscal-authority.js';
import { AuthorityAway } from '../../src/ports/fiscal-authority.js';
import { emission, item, note, TAX_ID } from '../support/fiscal/notes.js';
import { companyCertificate, testAuthority } from '../support/tax-authority/certificates.js';

/** What every tax authority does for the program, whichever way it is spoken to. */

export interface AuthorityUnderTest {
  readonly authority: FiscalAuthority;
  /** From now on the authority is not there, or the answers of the next document are lost. */
  fail(how: 'away' | 'answer-lost' | undefined): Promise<void>;
  close(): Promise<void>;
}

let certificate: AuthorityClient['certificate'] | undefined;

export const testClient = (changes: Partial<AuthorityClient> = {}): AuthorityClient => ({
  storeId: 'store',
  taxId: TAX_ID,
  state: 'SP',
  model: 65,
  environment: 'HOMOLOGATION',
  triesOutage: false,
  certificate: (certificate ??= companyCertificate(testAuthority(), TAX_ID)),
  ...changes,
});

let numbers = 0;

/** A document with a number of its own. */
export async function signedNote(
  client: AuthorityClient,
  changes: { readonly ncm?: string | null } = {},
): Promise<SignedDocument> {
  numbers += 1;
  const own = emission({ model: client.model }, { number: numbers });
  const identity = identityOf(client.certificate);
  const made = note({ model: client.model, items: [item(changes)] });
  const { xml, digestValue } = await writtenNote(made, own, { qrCode: { code: undefined } }, identity);
  return { accessKey: own.accessKey, digestValue, xml };
}

export async function signedCancellation(client: AuthorityClient, accessKey: string, protocol: string) {
  const asked = { environment: client.environment, taxId: TAX_ID, accessKey, protocol };
  const part = cancellationXml({ ...asked, reason: 'Cliente desistiu da compra', at: '2026-11-20T11:00:00-03:00' });
  return { accessKey, xml: eventDocument(part.sent, await signatureOf(part, identityOf(client.certificate))) };
}

export async function signedVoid(client: AuthorityClient, number: number) {
  const { environment, model } = client;
  const reason = 'Numero pulado por engano';
  const part = voidXml({ environment, stateCode: '35', year: '26', taxId: TAX_ID, model, series: 1, number, reason });
  const id = /Id="([^"]+)"/.exec(part.sent)?.[1] ?? '';
  return { id, xml: voidDocument(part.sent, await signatureOf(part, identityOf(client.certificate))) };
}

export async function awayOf(work: Promise<unknown>): Promise<AuthorityAway> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AuthorityAway) return error;
  throw new Error(`expected an authority that is away, got ${String(error)}`);
}

export function describeFiscalAuthority(name: string, open: () => Promise<AuthorityUnderTest>): void {
  describe(`the tax authority by ${name}`, () => {
    let opened: AuthorityUnderTest;
    let authority: FiscalAuthority;
    const client = testClient();
    beforeEach(async () => {
      opened = await open();
      authority = opened.authority;
    });
    afterEach(() => opened.close());

    test('takes a document once, and knows it by its key', async () => {
      const document = await signedNote(client);
      const { accessKey, digestValue } = document;
      const answer = await authority.authorize(client, document);
      expect(answer).toMatchObject({ kind: 'authorized', code: '100', digestValue });
      if (answer.kind !== 'authorized') return;
      expect(answer.protocolXml).toMatch(
        /^<protNFe xmlns="http:\/\/www\.portalfiscal\.inf\.br\/nfe" versao="4\.00"><infProt>/,
      );
      expect(answer.protocolXml).toContain(`<chNFe>${accessKey}</chNFe>`);
      expect(await authority.authorize(client, document)).toMatchObject({ kind: 'refused', code: '204' });
      expect(await authority.query(client, accessKey)).toEqual(answer);
    });

    test('refuses what it does not like, in its own words', async () => {
      const document = await signedNote(client, { ncm: null });
      const answer = await authority.authorize(client, document);
      expect(answer).toMatchObject({ kind: 'refused', code: '778', protocol: null });
      expect(await authority.query(client, document.accessKey)).toMatchObject({ kind: 'unknown', code: '217' });
    });

    test('cancels what it authorized, once', async () => {
      const document = await signedNote(client);
      const answer = await authority.authorize(client, document);
      const protocol = answer.kind === 'authorized' ? answer.protocol : '';
      const event = await signedCancellation(client, document.accessKey, protocol);
      const cancelled = await authority.cancel(client, event);
      expect(cancelled).toMatchObject({ kind: 'registered', code: '135' });
      expect(await authority.cancel(client, event)).toMatchObject({ kind: 'refused', code: '573' });
      expect(await authority.query(client, document.accessKey)).toMatchObject({
        kind: 'cancelled',
        document: { kind: 'authorized', protocol },
        event: { kind: 'registered' },
      });
    });

    test('takes a number back, once', async () => {
      const request = await signedVoid(client, 900_001);
      expect(await authority.voidNumbers(client, request)).toMatchObject({ kind: 'registered', code: '102' });
      expect(await authority.voidNumbers(client, request)).toMatchObject({ kind: 'refused', code: '563' });
    });

    test('says that it works, and what time it has', async () => {
      const answer = await authority.status(client);
      expect(answer).toMatchObject({ available: true, code: '107' });
      expect(Math.abs(answer.clockAhead ?? Infinity)).toBeLessThan(5_000);
    });

    test('may have a document whose answer was lost, and has it', async () => {
      const document = await signedNote(client);
      await opened.fail('answer-lost');
      expect(await awayOf(authority.authorize(client, document))).toMatchObject({ mayHaveArrived: true });
      await opened.fail(undefined);
      expect(await authority.query(client, document.accessKey)).toMatchObject({ kind: 'authorized' });
    });

    test('that is not there has nothing', async () => {
      await opened.fail('away');
      const document = await signedNote(client);
      expect(await awayOf(authority.authorize(client, document))).toMatchObject({ mayHaveArrived: false });
      expect(await awayOf(authority.query(client, document.accessKey))).toMatchObject({ mayHaveArrived: false });
    });

    test('has no fallback that the state has not switched on', async () => {
      expect(await authority.fallback(testClient({ model: 65 }))).toBeUndefined();
    });
  });
}
