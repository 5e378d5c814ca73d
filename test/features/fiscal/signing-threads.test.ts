import { createPublicKey, verify } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { StoredCertificate } from '../../../src/features/fiscal/signing/certificates.js';
import { identityOf, selfSignedCertificate } from '../../../src/features/fiscal/signing/certificates.js';
import { newDocumentKey, openXml } from '../../../src/features/fiscal/signing/sealed-xml.js';
import { SigningThreads } from '../../../src/features/fiscal/signing/signing-threads.js';
import { unsignedNote } from '../../../src/features/fiscal/signing/written-note.js';
import { writtenNote } from '../../support/fiscal/written-note.js';
import { emission, note, person, TAX_ID } from '../../support/fiscal/notes.js';

/** More in one second than are signed beside everything else. */
const MANY = 60;
const offline = { since: '2026-11-20T10:15:00-03:00', reason: 'Sem comunicação com a autorizadora' };
const settings = { qrCode: { code: undefined } };

let stores: readonly StoredCertificate[];
beforeAll(async () => {
  stores = await Promise.all([TAX_ID, TAX_ID].map((taxId) => selfSignedCertificate(taxId, 'Padaria', Date.now())));
});

test('many documents at once are each signed for their store and sealed under their own key, as one alone is', async () => {
  const signing = new SigningThreads({ now: () => 0 });
  const identities = stores.map(identityOf);
  const asked = Array.from({ length: MANY }, (_, index) => {
    const of = note({ recipient: person });
    const made = emission(of, { number: index + 1, emissionType: 9, contingency: offline });
    const identity = identities[index % 2] ?? { privateKey: createPublicKey(''), certificate: '' };
    const documentKey = newDocumentKey();
    const documentId = `document-${String(index)}`;
    const sealed = signing.seal({ note: unsignedNote(of, made, settings), documentId, documentKey }, identity);
    return { of, made, identity, documentKey, documentId, sealed };
  });
  for (const { of, made, identity, documentKey, documentId, sealed } of asked) {
    const { xml, digestValue, qrCodeUrl, sealedXml } = await sealed;
    expect(openXml(documentKey, { documentId, part: 'note' }, sealedXml)).toBe(xml);
    // RSA with this padding gives the same signature each time.
    expect({ xml, digestValue, qrCodeUrl }).toEqual(await writtenNote(of, made, settings, identity));
  }
  const [, ofSecond] = asked;
  const url = (await ofSecond?.sealed)?.qrCodeUrl ?? '';
  const [, text = '', signature = ''] = /\?p=(.*)\|([^|]*)$/.exec(url) ?? [];
  const key = createPublicKey(stores[1]?.chain[0] ?? '');
  expect(verify('RSA-SHA1', Buffer.from(text), key, Buffer.from(signature, 'base64'))).toBe(true);
});

test('one that cannot be signed is refused, and leaves the others alone', async () => {
  const signing = new SigningThreads({ now: () => 0 });
  const [identity] = stores.map(identityOf);
  if (!identity) throw new Error('there is no certificate');
  const of = note();
  const asked = Array.from({ length: MANY }, (_, index) => {
    const documentKey = index === MANY - 1 ? new Uint8Array(3) : newDocumentKey();
    const toSeal = { note: unsignedNote(of, emission(of), settings), documentId: String(index), documentKey };
    return signing.seal(toSeal, identity);
  });
  const settled = await Promise.allSettled(asked);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(settled.at(-1)).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/key/i) } });
});
