import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { accessKey } from '../../../src/features/fiscal/domain/access-key.js';
import type { QrFacts } from '../../../src/features/fiscal/domain/qr-code.js';
import { identityOf, selfSignedCertificate } from '../../../src/features/fiscal/signing/certificates.js';
import { qrCodeUrl } from '../../../src/features/fiscal/signing/qr-code-url.js';
import { signTextNow } from '../../../src/features/fiscal/signing/xml-signature.js';
import { person, TAX_ID } from '../../support/fiscal/notes.js';

/** Vectors that were computed apart from the program. */

const ADDRESS = 'https://nfce.example/qrcode';
const code = { id: '000001', token: 'A1B2C3D4-E5F6-7890-ABCD-EF1234567890' };
const online: QrFacts = {
  accessKey: '35261111222333000181650010000001011008480900',
  environment: 'HOMOLOGATION',
  offline: false,
  day: '20',
  total: '28.00',
  digestValue: 'x0BHhKnLT+QLwjVa3yzs/lzJtyA=',
  recipientDocument: null,
};
const offline: QrFacts = { ...online, accessKey: '35261111222333000181650010000001049008718475', offline: true };

describe('the access key', () => {
  test.each([
    ['11222333000181', 101, '00848090', '35261111222333000181650010000001011008480900'],
    ['12ABC34501DE35', 108, '00903523', '35261112ABC34501DE35650010000001081009035236'],
  ])('of %s', (taxId, number, randomCode, key) => {
    const parts = { stateCode: '35', issuedOn: '2026-11-20', model: 65, series: 1, emissionType: 1 };
    expect(accessKey({ ...parts, taxId, number, randomCode })).toBe(key);
  });
});

describe('the QR code', () => {
  test('of version 2 has a hash with the code of security', async () => {
    const identity = identityOf(await selfSignedCertificate(TAX_ID, 'Padaria', Date.now()));
    const textOf = async (facts: QrFacts) =>
      (await qrCodeUrl(ADDRESS, facts, code, identity, signTextNow)).split('?p=')[1];
    expect(await textOf(online)).toBe(
      '35261111222333000181650010000001011008480900|2|2|1|C031EC197C2F0DD607F87641F9829FB67A3A4950',
    );
    expect(await textOf(offline)).toBe(
      '35261111222333000181650010000001049008718475|2|2|20|28.00|78304248684b6e4c542b514c776a566133797a732f6c7a4a7479413d|1|' +
        '3F5FD98C6AD6CDB61D530300C2CE48C897E470CD',
    );
  });

  test('of version 3 names the consumer and is signed where it is offline', async () => {
    const stored = await selfSignedCertificate(TAX_ID, 'Padaria', Date.now());
    const textOf = async (facts: QrFacts) =>
      (await qrCodeUrl(ADDRESS, facts, undefined, identityOf(stored), signTextNow)).split('?p=')[1] ?? '';
    expect(await textOf(online)).toBe(`${online.accessKey}|3|2`);
    for (const [recipientDocument, named] of [
      [null, '|'],
      [person.document, `2|${person.document}`],
      ['12ABC34501DE35', '1|12ABC34501DE35'],
    ] as const) {
      const text = await textOf({ ...offline, recipientDocument });
      const at = text.lastIndexOf('|');
      expect(text.slice(0, at)).toBe(`${offline.accessKey}|3|2|20|28.00|${named}`);
      const key = createPublicKey(stored.chain[0] ?? '');
      const signature = Buffer.from(text.slice(at + 1), 'base64');
      expect(verify('RSA-SHA1', Buffer.from(text.slice(0, at)), key, signature)).toBe(true);
    }
  });
});
