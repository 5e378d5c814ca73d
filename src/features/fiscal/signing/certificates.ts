import type { KeyObject } from 'node:crypto';
import { createPrivateKey, generateKeyPair, randomBytes, sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import type forge from 'node-forge';
import { expectFewRounds, library, TooManyRounds, withBoundedRounds } from './certificate-library.js';
import type { Identity } from './xml-signature.js';

/** Certificates as they are handed out: PFX of any age, or PEM. */

export interface StoredCertificate {
  /** PEM. */
  readonly key: string;
  /** PEM, the store's own first. */
  readonly chain: readonly string[];
}

export interface CertificateFacts {
  readonly subject: string;
  readonly expiresAt: string;
  readonly fingerprint: string;
  readonly selfSigned: boolean;
}

export class CertificateRefused extends Error {}

const LEAST_BITS = 2048;
/** Longer keys take ten times as long to sign with, and no authority hands them out. */
const MOST_BITS = 4096;
/** Holds such a key, sealed, with what programs write beside it. */
const MOST_KEY_BYTES = 3_000;

/** Libraries stumble over damaged files in ways of their own. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CertificateRefused) throw error;
    throw new CertificateRefused('it is damaged', { cause: error });
  }
}

/** Gives key and certificate that fit each other, or says what is wrong. */
export const readCertificate = (format: 'PFX' | 'PEM', content: Buffer, password: string): StoredCertificate =>
  readable(() => certificateIn(format, content, password));

function certificateIn(format: 'PFX' | 'PEM', content: Buffer, password: string): StoredCertificate {
  const read = withBoundedRounds(() =>
    format === 'PFX' ? readPfx(content, password) : readPem(content.toString('utf8'), password),
  );
  const own = read.chain.find((pem) => fits(read.key, pem));
  if (own === undefined) throw new CertificateRefused('the private key fits none of the certificates');
  return { key: read.key, chain: [own, ...read.chain.filter((pem) => pem !== own)] };
}

/** What a store must know of its certificate before it uses it. */
export const checkCertificate = (stored: StoredCertificate, taxId: string | null, now: number): CertificateFacts =>
  readable(() => checked(stored, taxId, now));

function checked({ chain }: StoredCertificate, taxId: string | null, now: number): CertificateFacts {
  const certificate = new X509Certificate(chain[0] ?? '');
  if (certificate.publicKey.asymmetricKeyType !== 'rsa') throw new CertificateRefused('it holds no RSA key');
  const bits = certificate.publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < LEAST_BITS) throw new CertificateRefused(`its key has ${String(bits)} bits, fewer than 2048`);
  if (bits > MOST_BITS) throw new CertificateRefused(`its key has ${String(bits)} bits, more than 4096`);
  const [begins, ends] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (Number.isNaN(begins) || Number.isNaN(ends)) throw new CertificateRefused('nobody can tell when it expires');
  if (ends <= now) throw new CertificateRefused(`it expired on ${certificate.validTo}`);
  if (begins > now) throw new CertificateRefused(`it is valid from ${certificate.validFrom} on`);
  const owner = taxIdOf(chain[0] ?? '');
  if (taxId === null) throw new CertificateRefused('the store has no tax id yet');
  if (owner === undefined) throw new CertificateRefused('it names no CNPJ');
  if (!sameCompany(owner, taxId)) throw new CertificateRefused(`it belongs to the CNPJ ${owner}`);
  return factsOf(certificate);
}

/** The digits that all branches of a company share. */
const ROOT = 8;

export const sameCompany = (owner: string | undefined, taxId: string): boolean =>
  owner?.slice(0, ROOT) === taxId.slice(0, ROOT);

/** Whose certificate is missing between the store's own and the end of its chain; undefined where none is. */
export function chainGap(chain: readonly string[]): string | undefined {
  const [own, ...others] = chain.map((pem) => new X509Certificate(pem));
  if (!own) return '?';
  let last = own;
  const rest = [...others];
  for (;;) {
    const at = rest.findIndex((one) => last.checkIssued(one));
    if (at < 0) break;
    last = rest.splice(at, 1)[0] ?? last;
  }
  const isEnd = last.subject === last.issuer;
  return isEnd || (rest.length === 0 && last !== own) ? undefined : oneLine(last.issuer);
}

const oneLine = (name: string): string => name.replaceAll('\n', ', ');

const factsOf = (certificate: X509Certificate): CertificateFacts => ({
  subject: certificate.subject.replaceAll('\n', ', '),
  expiresAt: new Date(certificate.validTo).toISOString(),
  fingerprint: certificate.fingerprint256,
  selfSigned: certificate.subject === certificate.issuer,
});

export function identityOf({ key, chain }: StoredCertificate): Identity {
  const certificate = new X509Certificate(chain[0] ?? '');
  return { privateKey: createPrivateKey(key), certificate: certificate.raw.toString('base64') };
}

function fits(key: string, certificate: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/**
 * A block of a PEM file: its label, how a key of old is sealed, and its bytes. Other lines before the bytes are taken for
 * no block: what is long in them starts a new line for OpenSSL, with a block of its own in it.
 */
const BLOCK =
  /^-----BEGIN (CERTIFICATE|(?:ENCRYPTED |RSA |EC )?PRIVATE KEY)-----[ \t]*\r?\n(?:Proc-Type: 4,ENCRYPTED\r?\nDEK-Info: ([A-Z0-9-]{1,32},[0-9A-Fa-f]{1,64})\r?\n)?([A-Za-z0-9+/=\s]+)-----END \1-----/gm;

interface Block {
  readonly label: string;
  readonly bytes: Buffer;
  /** Written anew: one block with nothing within that readers of such files could take for another. */
  readonly pem: string;
}

const blocksOf = (text: string): readonly Block[] =>
  [...text.matchAll(BLOCK)].map(([, label = '', seal, body = '']) => {
    const bytes = Buffer.from(body, 'base64');
    const lines = bytes.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n');
    const sealed = seal === undefined ? '' : `Proc-Type: 4,ENCRYPTED\nDEK-Info: ${seal}\n\n`;
    return { label, bytes, pem: `-----BEGIN ${label}-----\n${sealed}${lines}\n-----END ${label}-----\n` };
  });

function readPem(text: string, password: string): { readonly key: string; readonly chain: readonly string[] } {
  const blocks = blocksOf(text);
  const chain = blocks.filter(({ label }) => label === 'CERTIFICATE').map(({ pem }) => pem);
  const own = blocks.find(({ label }) => label !== 'CERTIFICATE');
  if (chain.length === 0) throw new CertificateRefused('it holds no certificate');
  if (own === undefined) throw new CertificateRefused('it holds no private key');
  // Of a key of another kind than RSA, OpenSSL works out the public half while it reads it, whatever its label says: a long one takes days.
  if (own.bytes.length > MOST_KEY_BYTES) throw new CertificateRefused('its key is longer than one of 4096 bits');
  const key = openedKey(own, password);
  if (key.asymmetricKeyType !== 'rsa') throw noRsaKey();
  return { key: key.export({ type: 'pkcs8', format: 'pem' }).toString(), chain };
}

function openedKey({ label, bytes, pem }: Block, password: string): KeyObject {
  try {
    if (label === 'ENCRYPTED PRIVATE KEY') expectFewRounds(roundsOf(bytes));
    // A key that says that it is not sealed gets no password: newer versions of OpenSSL would unseal what lies in it all
    // the same, in as many rounds as it says. The others are sealed as of old, in one round.
    return createPrivateKey(label === 'PRIVATE KEY' ? pem : { key: pem, passphrase: password });
  } catch (error) {
    if (error instanceof TooManyRounds) throw slowPassword();
    throw new CertificateRefused('its key cannot be read: the password is wrong, or the key is damaged');
  }
}

const noRsaKey = (): CertificateRefused => new CertificateRefused('it holds no RSA private key');

const slowPassword = (): CertificateRefused =>
  new CertificateRefused('its password takes too long to try: export the file again');

/**
 * In how many rounds the password becomes that with which a key is sealed (RFC 8018, RFC 7914). Whatever stands in other
 * places than there is refused: OpenSSL may read a count from it where this library sees none.
 */
function roundsOf(sealedKey: Buffer): number {
  const { OID, SEQUENCE, OCTETSTRING, INTEGER } = library().asn1.Type;
  const [algorithm] = partsOf(library().asn1.fromDer(sealedKey.toString('binary')), SEQUENCE, OCTETSTRING);
  const [, parameters] = partsOf(algorithm, OID, SEQUENCE);
  // Newer keys name the derivation and the cipher, older ones both by one name.
  const isNewer = partsOf(parameters)[0]?.type === SEQUENCE;
  const derivation = isNewer ? partsOf(partsOf(parameters, SEQUENCE)[0], OID, SEQUENCE)[1] : parameters;
  const [, rounds, ...more] = partsOf(derivation, OCTETSTRING, INTEGER);
  // Three numbers multiply (scrypt); a second one alone is the length of what is derived.
  const factors = more[0]?.type === INTEGER && more[1]?.type === INTEGER ? [rounds, more[0], more[1]] : [rounds];
  return factors.reduce((product, factor) => product * numberOf(factor), 1);
}

/** The parts of a sequence whose first ones are of these types. */
function partsOf(node: forge.asn1.Asn1 | undefined, ...types: forge.asn1.Type[]): readonly forge.asn1.Asn1[] {
  const { Class, Type } = library().asn1;
  const isPlain = (one: forge.asn1.Asn1 | undefined, type: forge.asn1.Type) =>
    one?.tagClass === Class.UNIVERSAL && one.type === type;
  const parts = node?.value;
  if (!isPlain(node, Type.SEQUENCE) || !Array.isArray(parts)) throw new CertificateRefused('its key is damaged');
  if (!types.every((type, at) => isPlain(parts[at], type))) throw new CertificateRefused('its key is damaged');
  return parts;
}

/** NaN, which is no few rounds, where it is written in no way that is known. */
const numberOf = (node: forge.asn1.Asn1 | undefined): number =>
  typeof node?.value === 'string' ? parseInt(library().util.bytesToHex(node.value), 16) : NaN;

function readPfx(content: Buffer, password: string): { readonly key: string; readonly chain: readonly string[] } {
  let pfx;
  try {
    const asn1 = library().asn1.fromDer(library().util.createBuffer(content.toString('binary')));
    pfx = library().pkcs12.pkcs12FromAsn1(asn1, false, password);
  } catch (error) {
    if (error instanceof TooManyRounds) throw slowPassword();
    const isPassword = error instanceof Error && /MAC|password/i.test(error.message);
    throw new CertificateRefused(isPassword ? 'the password is wrong' : 'it is no PFX file, or a damaged one');
  }
  const { certBag: certBagType, pkcs8ShroudedKeyBag, keyBag } = library().pki.oids;
  const bags = (type: string | undefined) => (type === undefined ? [] : (pfx.getBags({ bagType: type })[type] ?? []));
  const key = [...bags(pkcs8ShroudedKeyBag), ...bags(keyBag)].find((bag) => bag.key)?.key;
  const chain = bags(certBagType).flatMap(({ cert }) => (cert ? [library().pki.certificateToPem(cert)] : []));
  if (!key) throw noRsaKey();
  if (chain.length === 0) throw new CertificateRefused('it holds no certificate');
  const info = library().pki.wrapRsaPrivateKey(library().pki.privateKeyToAsn1(key));
  return { key: library().pki.privateKeyInfoToPem(info), chain };
}

/** Where the national authority writes a company's tax id: an alternative name of its own, else the end of the common name. */
const COMPANY_OID = '2.16.76.1.3.3';

export function taxIdOf(pem: string): string | undefined {
  const certificate = library().pki.certificateFromPem(pem);
  const names = certificate.getExtension('subjectAltName') as
    { readonly altNames?: readonly { readonly type: number; readonly value: unknown }[] } | null | undefined;
  for (const { type, value } of names?.altNames ?? []) {
    const found = type === 0 ? otherName(value) : undefined;
    if (found !== undefined) return found;
  }
  const field = certificate.subject.getField('CN') as { readonly value: unknown } | null;
  const commonName = field?.value;
  return typeof commonName === 'string' ? /:([0-9A-Z]{12}[0-9]{2})$/.exec(commonName)?.[1] : undefined;
}

function otherName(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const [oid, wrapped] = value as readonly forge.asn1.Asn1[];
  if (typeof oid?.value !== 'string' || library().asn1.derToOid(oid.value) !== COMPANY_OID) return undefined;
  let inner: unknown = wrapped?.value;
  while (Array.isArray(inner)) inner = (inner as readonly forge.asn1.Asn1[])[0]?.value;
  return typeof inner === 'string' ? inner.trim() : undefined;
}

const SELF_SIGNED_YEARS = 5;

/** For trials: a certificate that nobody vouches for, for a store that has none yet. */
export async function selfSignedCertificate(taxId: string, name: string, now: number): Promise<StoredCertificate> {
  const pair = await promisify(generateKeyPair)('rsa', {
    modulusLength: LEAST_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = library().pki.createCertificate();
  certificate.publicKey = library().pki.publicKeyFromPem(pair.publicKey);
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(now - 3_600_000);
  certificate.validity.notAfter = new Date(now + SELF_SIGNED_YEARS * 365 * 86_400_000);
  const subject = [
    { shortName: 'C', value: 'BR' },
    { shortName: 'O', value: 'Homologacao sem valor fiscal' },
    { shortName: 'CN', value: `${asciiName(name)}:${taxId}` },
  ];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  return { key: pair.privateKey, chain: [await signedByItself(certificate, pair.privateKey)] };
}

/** The name fits into the field beside the tax id. */
const asciiName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\u0020-\u007e]/g, '')
    .slice(0, 45)
    .trim();

/** The library has it, its types do not. */
const certificateBody = (certificate: forge.pki.Certificate): forge.asn1.Asn1 =>
  (
    library().pki as unknown as { getTBSCertificate(certificate: forge.pki.Certificate): forge.asn1.Asn1 }
  ).getTBSCertificate(certificate);

/** The library's own signing would hold the main thread for long. */
async function signedByItself(certificate: forge.pki.Certificate, key: string): Promise<string> {
  const oid = library().pki.oids.sha256WithRSAEncryption ?? '';
  certificate.signatureOid = oid;
  certificate.siginfo.algorithmOid = oid;
  const tbs = certificateBody(certificate);
  const bytes = Buffer.from(library().asn1.toDer(tbs).getBytes(), 'binary');
  const signature = await new Promise<Buffer>((resolve, reject) => {
    sign('RSA-SHA256', bytes, key, (error, made) => {
      if (error) reject(error);
      else resolve(made);
    });
  });
  certificate.tbsCertificate = tbs;
  certificate.signature = signature.toString('binary');
  return library().pki.certificateToPem(certificate);
}
