import { generateKeyPairSync, randomBytes } from 'node:crypto';
import forge from 'node-forge';

/** A certificate authority for tests, what hangs under it, and what is wrong on purpose. */

interface Issued {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
}

const DAY = 86_400_000;

export interface Wanted {
  readonly name: string;
  /** Undefined: it signs itself. */
  readonly by?: Issued;
  readonly isAuthority?: boolean;
  readonly hosts?: readonly string[];
  /** Days from now. */
  readonly from?: number;
  readonly to?: number;
}

function issue({ name, by, isAuthority = false, hosts = [], from = -1, to = 365 }: Wanted): Issued {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(pair.publicKey);
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() + from * DAY);
  certificate.validity.notAfter = new Date(Date.now() + to * DAY);
  const subject = [
    { shortName: 'C', value: 'BR' },
    { shortName: 'O', value: 'ICP de teste' },
    { shortName: 'CN', value: name },
  ];
  certificate.setSubject(subject);
  certificate.setIssuer(by ? forge.pki.certificateFromPem(by.certificate).subject.attributes : subject);
  const altNames = hosts.map((host) => (/^[0-9.]+$/.test(host) ? { type: 7, ip: host } : { type: 2, value: host }));
  certificate.setExtensions([
    { name: 'basicConstraints', cA: isAuthority, critical: true },
    ...(isAuthority ? [{ name: 'keyUsage', keyCertSign: true, cRLSign: true }] : []),
    ...(altNames.length > 0 ? [{ name: 'subjectAltName', altNames }] : []),
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(by?.key ?? pair.privateKey), forge.md.sha256.create());
  return { key: pair.privateKey, certificate: forge.pki.certificateToPem(certificate) };
}

/** A root, an authority under it that issues, and the certificate of a server on this machine. */
interface TestAuthority {
  readonly root: Issued;
  readonly middle: Issued;
  readonly server: Issued;
}

let made: TestAuthority | undefined;

/** Made once for a process: keys take long. */
export function testAuthority(): TestAuthority {
  if (made) return made;
  const root = issue({ name: 'Raiz de teste', isAuthority: true });
  const middle = issue({ name: 'AC de teste', by: root, isAuthority: true });
  const server = issue({ name: 'localhost', by: middle, hosts: ['localhost', '127.0.0.1'] });
  return (made = { root, middle, server });
}

/** A company's certificate with its chain, as a store hands it in. */
export function companyCertificate(
  { root, middle }: TestAuthority,
  taxId: string,
  changes: Partial<Wanted> = {},
): { readonly key: string; readonly chain: readonly string[] } {
  const own = issue({ name: `EMPRESA DE TESTE:${taxId}`, by: middle, ...changes });
  return { key: own.key, chain: [own.certificate, middle.certificate, root.certificate] };
}

/** The same as a file with a password; `count` says in how many rounds that becomes each of its keys. */
export function asPfx({ key, chain }: ReturnType<typeof companyCertificate>, password: string, count = 2_048): string {
  const asn1 = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(key),
    chain.map((pem) => forge.pki.certificateFromPem(pem)),
    password,
    { algorithm: '3des', count },
  );
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary').toString('base64');
}
