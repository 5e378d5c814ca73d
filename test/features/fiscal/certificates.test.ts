import { createPrivateKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import forge from 'node-forge';
import { checkCertificate, readCertificate } from '../../../src/features/fiscal/signing/certificates.js';
import { TAX_ID } from '../../support/fiscal/notes.js';
import { asPfx, companyCertificate, testAuthority } from '../../support/tax-authority/certificates.js';

/** Files that people hand in as their certificate, some of them meant to hold the service up. */

const PASSWORD = 'senha';
const given = companyCertificate(testAuthority(), TAX_ID);
type Node = forge.asn1.Asn1;
const FOR_EVER = forge.util.hexToBytes('7fffffff');

/** Writes over every whole number that is as long as counts of rounds are. */
function slowed(node: Node): number {
  if (Array.isArray(node.value)) return node.value.reduce((count, one) => count + slowed(one), 0);
  if (node.type !== forge.asn1.Type.INTEGER || node.value.length !== 2) return 0;
  (node as { value: string }).value = FOR_EVER;
  return 1;
}

const bytesOf = (node: Node): Buffer => Buffer.from(forge.asn1.toDer(node).getBytes(), 'binary');
const nodeOf = (bytes: Buffer): Node => forge.asn1.fromDer(bytes.toString('binary'));

function sealedPem(changes: (node: Node) => void): Buffer {
  const sealed = createPrivateKey(given.key).export({
    type: 'pkcs8',
    format: 'der',
    cipher: 'aes-256-cbc',
    passphrase: PASSWORD,
  });
  const node = nodeOf(sealed);
  changes(node);
  const body = bytesOf(node).toString('base64').replaceAll(/.{64}/g, '$&\n');
  const key = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${body}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
  return Buffer.from(key + given.chain.join(''));
}

const unchanged = (): void => undefined;

test('a file with a password is read in either form', () => {
  const pfx = Buffer.from(asPfx(given, PASSWORD), 'base64');
  for (const read of [readCertificate('PFX', pfx, PASSWORD), readCertificate('PEM', sealedPem(unchanged), PASSWORD)]) {
    expect(read.chain.map((pem) => pem.trim().replaceAll('\r', ''))).toEqual(
      given.chain.map((pem) => pem.trim().replaceAll('\r', '')),
    );
    expect(checkCertificate(read, TAX_ID, Date.now())).toMatchObject({ selfSigned: false });
  }
});

test('a file that would hold the service up is refused at once', () => {
  const slow = 'its password takes too long to try: export the file again';
  const pfx = nodeOf(Buffer.from(asPfx(given, PASSWORD), 'base64'));
  const [, , sums] = pfx.value as Node[];
  expect(sums && slowed(sums)).toBe(1);
  expect(() => readCertificate('PFX', bytesOf(pfx), PASSWORD)).toThrow(slow);
  const pem = sealedPem((node) => {
    expect(slowed(node)).toBeGreaterThan(0);
  });
  expect(() => readCertificate('PEM', pem, PASSWORD)).toThrow(slow);
});
