import type { ConsumerAddresses } from '../../../brazil/consumer-addresses.js';
import { CONSUMER_ADDRESSES } from '../../../brazil/consumer-addresses.js';
import type { Emission, Note } from '../domain/note.js';
import { noteDocument, supplement } from '../domain/xml/event-xml.js';
import type { QrFacts } from '../domain/qr-code.js';
import { canonicalNote, noteXml } from '../domain/xml/note-xml.js';
import { money } from '../domain/xml/numbers.js';
import { noteTotal } from '../domain/xml/totals.js';
import type { SecurityCode } from './qr-code-url.js';
import { qrCodeUrl } from './qr-code-url.js';
import type { Identity, SignText } from './xml-signature.js';
import { digestOf, signatureOf, signText } from './xml-signature.js';

export interface WrittenNote {
  readonly xml: string;
  readonly digestValue: string;
  /** Stands on a consumer's note alone. */
  readonly qrCodeUrl: string | null;
}

/** A code of security makes the QR code one of version 2. */
export interface QrSettings {
  readonly qrCode: {
    readonly code: SecurityCode | undefined;
    /** In place of those that the program knows. */
    readonly addresses?: Partial<ConsumerAddresses>;
  };
}

/** A document that lacks its signature alone: plain data, which another thread can sign. */
export interface UnsignedNote {
  /** Its signed part, in the form in which it is sent. */
  readonly sent: string;
  /** What a consumer's note has beside; null for an invoice. */
  readonly consumer: {
    readonly facts: Omit<QrFacts, 'digestValue'>;
    readonly addresses: ConsumerAddresses;
    readonly code: SecurityCode | undefined;
  } | null;
}

export function unsignedNote(note: Note, emission: Emission, { qrCode }: QrSettings): UnsignedNote {
  const { sent } = noteXml(note, emission);
  return { sent, consumer: note.model === 65 ? consumerFacts(note, emission, qrCode) : null };
}

function consumerFacts(
  { environment, issuer, recipient, items }: Note,
  { accessKey, emissionType, issuedOn }: Emission,
  { code, addresses: own }: QrSettings['qrCode'],
): UnsignedNote['consumer'] {
  const environments = CONSUMER_ADDRESSES[issuer.address.state];
  const known = environment === 'PRODUCTION' ? environments.production : environments.homologation;
  const facts = {
    accessKey,
    environment,
    offline: emissionType === 9,
    day: issuedOn.slice(8, 10),
    total: money(noteTotal(items)),
    recipientDocument: recipient?.document ?? null,
  };
  const addresses = {
    qrCode: own?.qrCode ?? known.qrCode,
    consultation: own?.consultation ?? known.consultation,
  };
  return { facts, addresses, code };
}

/** The document as it is sent: signed, and with its QR code. */
export async function signedNote(
  { sent, consumer }: UnsignedNote,
  identity: Identity,
  signing: SignText = signText,
): Promise<WrittenNote> {
  const part = { sent, canonical: canonicalNote(sent) };
  const digestValue = digestOf(part.canonical);
  const [signature, url] = await Promise.all([
    signatureOf(part, identity, digestValue, signing),
    consumer &&
      qrCodeUrl(consumer.addresses.qrCode, { ...consumer.facts, digestValue }, consumer.code, identity, signing),
  ]);
  const extra = consumer && url !== null ? supplement(url, consumer.addresses.consultation) : '';
  return { xml: noteDocument(sent, extra, signature), digestValue, qrCodeUrl: url };
}
