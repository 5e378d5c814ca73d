import { createCipheriv, createHash, createPrivateKey, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import forge from 'node-forge';
import {
  CertificateRefused,
  checkCertificate,
  readCertificate,
} from '../../../src/features/fiscal/signing/certificates.js';
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

/** The same file, with its key sealed once more, as programs of old did. */
function sealedOfOld(pem: string): string {
  const [block = '', label = '', body = ''] = /^-----BEGIN (.*PRIVATE KEY)-----\n([^-]*)-----END .*\n/m.exec(pem) ?? [];
  const start = randomBytes(16);
  const key = createHash('md5').update(PASSWORD).update(start.subarray(0, 8)).digest();
  const cipher = createCipheriv('aes-128-cbc', key, start);
  const sealed = Buffer.concat([cipher.update(Buffer.from(body, 'base64')), cipher.final()]).toString('base64');
  const seal = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${start.toString('hex').toUpperCase()}\n`;
  const lines = sealed.replaceAll(/.{64}(?=.)/g, '$&\n');
  return pem.replace(block, `-----BEGIN ${label}-----\n${seal}\n${lines}\n-----END ${label}-----\n`);
}

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

test('a key is read from one block alone, in which nothing else is hidden', () => {
  const sealed = sealedPem((node) => {
    slowed(node);
  }).toString();
  const hidden = `-----BEGIN FOO PRIVATE KEY-----junk\n${sealed}\nAAAA\n-----END FOO PRIVATE KEY-----\n`;
  const slow = 'its password takes too long to try: export the file again';
  expect(() => readCertificate('PEM', Buffer.from(hidden), PASSWORD)).toThrow(slow);
  const labelled = sealed.replaceAll('ENCRYPTED PRIVATE KEY', 'FOO PRIVATE KEY');
  expect(() => readCertificate('PEM', Buffer.from(labelled), PASSWORD)).toThrow('it holds no private key');
  const lines = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => line.padEnd(254));
  const inHeader = [`X: `, ...lines(sealed)].map((line) => line.padEnd(254)).join('');
  const beside = `-----BEGIN RSA PRIVATE KEY-----\n${inHeader}\n\nAAAA\n-----END RSA PRIVATE KEY-----\n${given.chain.join('')}`;
  expect(() => readCertificate('PEM', Buffer.from(beside), PASSWORD)).toThrow('it holds no private key');
  const asNotSealed = sealed.replaceAll('ENCRYPTED PRIVATE KEY', 'PRIVATE KEY');
  for (const file of [asNotSealed, sealedOfOld(asNotSealed)]) {
    expect(() => readCertificate('PEM', Buffer.from(file), PASSWORD)).toThrow('its key cannot be read');
  }
});

test('rounds are counted where they are read, whatever else is written beside them', () => {
  const slow = 'its password takes too long to try: export the file again';
  const unreadable = 'its key cannot be read: the password is wrong, or the key is damaged';
  const { Class, Type, create } = forge.asn1;
  const plain = (type: forge.asn1.Type, value: string | Node[]) =>
    create(Class.UNIVERSAL, type, Array.isArray(value), value);
  const partsOf = ({ value }: Node | undefined = plain(Type.NULL, '')) => value as Node[];
  const derivationOf = (sealed: Node) => partsOf(partsOf(partsOf(partsOf(partsOf(sealed)[0])[1])[0])[1]);
  // Numbers that would make a product of all of them 0, and one that is none.
  for (const beside of ['\0', '']) {
    const file = sealedPem((node) => {
      expect(slowed(node)).toBeGreaterThan(0);
      partsOf(derivationOf(node)[2]).splice(1, 1, plain(Type.SEQUENCE, Array(2).fill(plain(Type.INTEGER, beside))));
    });
    expect(() => readCertificate('PEM', file, PASSWORD)).toThrow(slow);
  }
  // OpenSSL takes the first for the longer form of a whole number of four bytes, which reaches into the second.
  const hidden = [Object.assign(plain(Type.NULL, '\u0004\u0001'), { type: 31 }), plain(Type.OCTETSTRING, '\0')];
  const file = sealedPem((node) => derivationOf(node).splice(1, 1, ...hidden));
  expect(() => readCertificate('PEM', file, PASSWORD)).toThrow(unreadable);
});

test('a key that would take long to read is refused before it is', () => {
  const { Class, Type, create, oidToDer } = forge.asn1;
  const plain = (type: forge.asn1.Type, value: string | Node[]) =>
    create(Class.UNIVERSAL, type, Array.isArray(value), value);
  const version = plain(Type.INTEGER, '\0');
  const number = (bits: number) => plain(Type.INTEGER, `\0\u0081${randomBytes(bits / 8 - 2).toString('binary')}\u0001`);
  const keyOf = (oid: string, parameters: Node, secret: Node) => {
    const algorithm = plain(Type.SEQUENCE, [plain(Type.OID, oidToDer(oid).getBytes()), parameters]);
    const wrapped = plain(Type.OCTETSTRING, forge.asn1.toDer(secret).getBytes());
    return bytesOf(plain(Type.SEQUENCE, [version, algorithm, wrapped]));
  };
  const pemOf = (label: string, bytes: Buffer) =>
    `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n${given.chain.join('')}`;
  const readingOf = (pem: string) => () => readCertificate('PEM', Buffer.from(pem), PASSWORD);
  const sealed = (key: Buffer) =>
    createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({
      type: 'pkcs8',
      format: 'der',
      cipher: 'aes-256-cbc',
      passphrase: PASSWORD,
    });

  const dsa = (bits: number) =>
    keyOf('1.2.840.10040.4.1', plain(Type.SEQUENCE, [number(bits), number(256), number(bits)]), number(bits));
  const long = 'its key is longer than one of 4096 bits';
  for (const label of ['PRIVATE KEY', 'RSA PRIVATE KEY']) expect(readingOf(pemOf(label, dsa(8192)))).toThrow(long);
  expect(readingOf(pemOf('ENCRYPTED PRIVATE KEY', sealed(dsa(8192))))).toThrow(long);
  // It would be read anew for each of the certificates, of which a file may hold thousands.
  expect(readingOf(pemOf('PRIVATE KEY', dsa(1024)))).toThrow('it holds no RSA private key');

  const halves = Array.from({ length: 5 }, () => number(2048));
  const rsa = plain(Type.SEQUENCE, [version, number(4096), number(4096), number(4096), ...halves]);
  const longest = keyOf('1.2.840.113549.1.1.1', plain(Type.NULL, ''), rsa);
  expect(readingOf(pemOf('ENCRYPTED PRIVATE KEY', sealed(longest)))).toThrow('the private key fits none');
});

test('a key is read however its password is derived', () => {
  const key = createPrivateKey(given.key);
  for (const cipher of ['aes-256-cbc', 'des-ede3-cbc']) {
    const sealed = key.export({ type: 'pkcs8', format: 'pem', cipher, passphrase: PASSWORD }).toString();
    expect(readCertificate('PEM', Buffer.from(sealed + given.chain.join('')), PASSWORD).key).toBe(given.key);
  }
  const older = forge.pki.encryptPrivateKeyInfo(
    forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(forge.pki.privateKeyFromPem(given.key))),
    PASSWORD,
    { algorithm: '3des' },
  );
  const file = Buffer.from(forge.pki.encryptedPrivateKeyToPem(older) + given.chain.join(''));
  expect(readCertificate('PEM', file, PASSWORD).key).toBe(given.key);
  const oldest = sealedOfOld(key.export({ type: 'pkcs1', format: 'pem' }).toString());
  expect(readCertificate('PEM', Buffer.from(oldest + given.chain.join('')), PASSWORD).key).toBe(given.key);
});

test('a key is read as programs of all ages write it, with what they write around it', () => {
  const key = createPrivateKey(given.key);
  const old = key.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-128-cbc', passphrase: PASSWORD }).toString();
  const plain = key.export({ type: 'pkcs1', format: 'pem' }).toString();
  const around = (text: string) => `Bag Attributes\n    friendlyName: loja\n${text}Bag Attributes: <No Attributes>\n`;
  for (const text of [old, plain, given.key]) {
    for (const end of ['\n', '\r\n']) {
      const file = (around(text) + given.chain.join('')).replaceAll(/\r?\n/g, end);
      const read = readCertificate('PEM', Buffer.from(file), PASSWORD);
      expect(createPrivateKey(read.key).equals(key)).toBe(true);
      expect(read.chain).toHaveLength(given.chain.length);
    }
  }
});

test('a damaged file is refused, whatever is wrong with it', () => {
  const files = [
    ['PFX', Buffer.from(asPfx(given, PASSWORD), 'base64')],
    ['PEM', sealedPem(unchanged)],
    ['PEM', Buffer.from(given.key + given.chain.join(''))],
  ] as const;
  const certificate = Buffer.from((given.chain[0] ?? '').replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  const pemOf = (bytes: Buffer) =>
    `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
  const tried = (format: 'PFX' | 'PEM', content: Buffer) => {
    try {
      checkCertificate(readCertificate(format, content, PASSWORD), TAX_ID, Date.now());
    } catch (error) {
      expect(error).toBeInstanceOf(CertificateRefused);
    }
  };
  const change = (bytes: Buffer, places: readonly (readonly [number, number])[]): Buffer => {
    const changed = Buffer.from(bytes);
    for (const [place, value] of places) changed[place % changed.length] = value;
    return changed;
  };
  const places = fc.array(fc.tuple(fc.nat({ max: 5_000 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(places, fc.nat({ max: 3 }), (changes, which) => {
      const file = files[which];
      if (file) tried(file[0], change(file[1], changes));
      else tried('PEM', Buffer.from(given.key + pemOf(change(certificate, changes))));
    }),
    { numRuns: 200 },
  );
  // A month that no year has, where it says until when it is valid.
  const [, until] = certificate.toString('latin1').matchAll(/\u0017\u000d\d{12}Z/g);
  const end = (until?.index ?? 0) + 4;
  const timeless = change(certificate, [
    [end, '9'.charCodeAt(0)],
    [end + 1, '9'.charCodeAt(0)],
  ]);
  expect(() => checkCertificate({ key: given.key, chain: [pemOf(timeless)] }, TAX_ID, Date.now())).toThrow(
    CertificateRefused,
  );
});
