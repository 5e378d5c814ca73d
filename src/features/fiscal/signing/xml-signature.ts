import type { KeyObject } from 'node:crypto';
import { hash, sign } from 'node:crypto';
import type { NoteXml } from '../domain/xml/note-xml.js';

/** The signature that the layout demands: enveloped, inclusive canonical XML, RSA with SHA-1. */

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

/** With what a store signs. */
export interface Identity {
  readonly privateKey: KeyObject;
  /** DER in base64, without line breaks. */
  readonly certificate: string;
}

export const digestOf = (canonical: string): string => hash('sha1', canonical, 'base64');

/** RSA with SHA-1 in base64. */
export type SignText = (text: string, identity: Identity) => string | Promise<string>;

/** For a thread of its own, which has nothing else to do. */
export const signTextNow: SignText = (text, { privateKey }) =>
  sign('RSA-SHA1', Buffer.from(text, 'utf8'), privateKey).toString('base64');

/** Off the thread that asks. */
export function signText(text: string, { privateKey }: Identity): Promise<string> {
  return new Promise((resolve, reject) => {
    sign('RSA-SHA1', Buffer.from(text, 'utf8'), privateKey, (error, signature) => {
      if (error) reject(error);
      else resolve(signature.toString('base64'));
    });
  });
}

const signedInfo = (id: string, digestValue: string): string =>
  `<CanonicalizationMethod Algorithm="${C14N}"></CanonicalizationMethod>` +
  `<SignatureMethod Algorithm="${DSIG}rsa-sha1"></SignatureMethod>` +
  `<Reference URI="#${id}"><Transforms>` +
  `<Transform Algorithm="${DSIG}enveloped-signature"></Transform><Transform Algorithm="${C14N}"></Transform>` +
  `</Transforms><DigestMethod Algorithm="${DSIG}sha1"></DigestMethod>` +
  `<DigestValue>${digestValue}</DigestValue></Reference>`;

/** The `Signature` element over a signed part, which names itself by its `Id`. */
export async function signatureOf(
  { canonical }: NoteXml,
  identity: Identity,
  digestValue = digestOf(canonical),
  signing: SignText = signText,
): Promise<string> {
  const id = /Id="([^"]+)"/.exec(canonical)?.[1] ?? '';
  const info = signedInfo(id, digestValue);
  const value = await signing(`<SignedInfo xmlns="${DSIG}">${info}</SignedInfo>`, identity);
  return (
    `<Signature xmlns="${DSIG}"><SignedInfo>${info}</SignedInfo><SignatureValue>${value}</SignatureValue>` +
    `<KeyInfo><X509Data><X509Certificate>${identity.certificate}</X509Certificate></X509Data></KeyInfo></Signature>`
  );
}
