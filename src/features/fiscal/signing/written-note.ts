import type { ConsumerAddresses } from '../../../brazil/consumer-addresses.js';
import { CONSUMER_ADDRESSES } from '../../../brazil/consumer-addresses.js';
import type { Emission, Note } from '../domain/note.js';
import { noteDocument, supplement } from '../domain/xml/event-xml.js';
import { noteXml } from '../domain/xml/note-xml.js';
import { money } from '../domain/xml/numbers.js';
import { noteTotal } from '../domain/xml/totals.js';
import type { SecurityCode } from './qr-code-url.js';
import { qrCodeUrl } from './qr-code-url.js';
import type { Identity } from './xml-signature.js';
import { digestOf, signatureOf } from './xml-signature.js';

interface WrittenNote {
  readonly xml: string;
  readonly digestValue: string;
  /** Stands on a consumer's note alone. */
  readonly qrCodeUrl: string | null;
}

/** A code of security makes the QR code one of version 2. */
interface QrSettings {
  readonly qrCode: {
    readonly code: SecurityCode | undefined;
    /** In place of those that the program knows. */
    readonly addresses?: Partial<ConsumerAddresses>;
  };
}

/** The document as it is sent: written, signed, and with its QR code. */
export async function writtenNote(
  note: Note,
  emission: Emission,
  { qrCode }: QrSettings,
  identity: Identity,
): Promise<WrittenNote> {
  const part = noteXml(note, emission);
  const digestValue = digestOf(part.canonical);
  const [signature, qr] = await Promise.all([
    signatureOf(part, identity, digestValue),
    note.model === 65 ? consumerCode(note, emission, digestValue, qrCode, identity) : undefined,
  ]);
  const extra = qr ? supplement(qr.url, qr.consultation) : '';
  return { xml: noteDocument(part.sent, extra, signature), digestValue, qrCodeUrl: qr?.url ?? null };
}

async function consumerCode(
  note: Note,
  emission: Emission,
  digestValue: string,
  { code, addresses: own }: QrSettings['qrCode'],
  identity: Identity,
): Promise<{ readonly url: string; readonly consultation: string }> {
  const { environment, issuer, recipient, items } = note;
  const environments = CONSUMER_ADDRESSES[issuer.address.state];
  const known = environment === 'PRODUCTION' ? environments.production : environments.homologation;
  const addresses = { ...known, ...own };
  const facts = {
    accessKey: emission.accessKey,
    environment,
    offline: emission.emissionType === 9,
    day: emission.issuedOn.slice(8, 10),
    total: money(noteTotal(items)),
    digestValue,
    recipientDocument: recipient?.document ?? null,
  };
  const url = await qrCodeUrl(addresses.qrCode, facts, code, identity);
  return { url, consultation: addresses.consultation };
}
