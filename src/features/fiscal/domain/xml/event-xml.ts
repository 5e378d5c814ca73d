import { environmentCode, FISCAL_NAMESPACE } from '../../../../brazil/fiscal-layout.js';
import { STATE_CODES } from '../../../../brazil/states.js';
import type { Environment } from '../../../contracts/fiscal-settings.js';
import { element, group, layoutText, optional, withoutMarks } from './markup.js';
import type { NoteXml } from './note-xml.js';
import { PROGRAM } from './note-xml.js';

/** What is told to the authority of a document later: its cancellation, or that its number is given up. */

const CANCELLATION = '110111';
/** Cancels a consumer's note in whose place another was issued, and is taken long after the time for `CANCELLATION` is over. */
const SUBSTITUTION = '110112';
const EVENT_LAYOUT = '1.00';
const LAYOUT = '4.00';
const REASON_LENGTH = 255;

interface Cancelled {
  readonly environment: Environment;
  readonly taxId: string;
  readonly accessKey: string;
  readonly protocol: string;
  readonly reason: string;
  /** Local, with its offset. */
  readonly at: string;
  /** The key of the document in its place, which the authority must have already. */
  readonly substitutedBy?: string | undefined;
}

/** States that take no accents in the texts of events. */
const PLAIN_TEXTS: ReadonlySet<string> = new Set([STATE_CODES.MT]);

export function cancellationXml(cancelled: Cancelled): NoteXml {
  const { environment, taxId, accessKey, protocol, reason, at, substitutedBy } = cancelled;
  const kind = substitutedBy === undefined ? CANCELLATION : SUBSTITUTION;
  const id = `ID${kind}${accessKey}01`;
  const state = accessKey.slice(0, 2);
  const told = layoutText(reason, REASON_LENGTH);
  const detail =
    `<detEvento versao="${EVENT_LAYOUT}">` +
    element('descEvento', substitutedBy === undefined ? 'Cancelamento' : 'Cancelamento por substituicao') +
    (substitutedBy === undefined ? '' : toldByIssuer(state)) +
    element('nProt', protocol) +
    element('xJust', PLAIN_TEXTS.has(state) ? withoutMarks(told) : told) +
    optional('chNFeRef', substitutedBy) +
    '</detEvento>';
  const content = [
    element('cOrgao', state),
    element('tpAmb', environmentCode({ environment })),
    element('CNPJ', taxId),
    element('chNFe', accessKey),
    element('dhEvento', at),
    element('tpEvento', kind),
    element('nSeqEvento', '1'),
    element('verEvento', EVENT_LAYOUT),
    detail,
  ].join('');
  return signedPart('infEvento', id, content);
}

const toldByIssuer = (state: string): string =>
  element('cOrgaoAutor', state) + element('tpAutor', '1') + element('verAplic', PROGRAM);

interface Voided {
  readonly environment: Environment;
  readonly stateCode: string;
  /** Two digits. */
  readonly year: string;
  readonly taxId: string;
  readonly model: number;
  readonly series: number;
  readonly number: number;
  readonly reason: string;
}

export function voidXml(voided: Voided): NoteXml {
  const { environment, stateCode, year, taxId, model, series, number, reason } = voided;
  const padded = String(number).padStart(9, '0');
  const id = `ID${stateCode}${year}${taxId}${String(model)}${String(series).padStart(3, '0')}${padded}${padded}`;
  const content = [
    element('tpAmb', environmentCode({ environment })),
    element('xServ', 'INUTILIZAR'),
    element('cUF', stateCode),
    element('ano', year),
    element('CNPJ', taxId),
    element('mod', String(model)),
    element('serie', String(series)),
    element('nNFIni', String(number)),
    element('nNFFin', String(number)),
    element('xJust', layoutText(reason, REASON_LENGTH)),
  ].join('');
  return signedPart('infInut', id, content);
}

const signedPart = (name: string, id: string, content: string): NoteXml => ({
  sent: `<${name} Id="${id}">${content}</${name}>`,
  canonical: `<${name} xmlns="${FISCAL_NAMESPACE}" Id="${id}">${content}</${name}>`,
});

/** The documents that are sent, from their signed parts. */
export const noteDocument = (signedPartXml: string, supplement: string, signature: string): string =>
  `<NFe xmlns="${FISCAL_NAMESPACE}">${signedPartXml}${supplement}${signature}</NFe>`;
export const eventDocument = (signedPartXml: string, signature: string): string =>
  `<evento xmlns="${FISCAL_NAMESPACE}" versao="${EVENT_LAYOUT}">${signedPartXml}${signature}</evento>`;
export const voidDocument = (signedPartXml: string, signature: string): string =>
  `<inutNFe xmlns="${FISCAL_NAMESPACE}" versao="${LAYOUT}">${signedPartXml}${signature}</inutNFe>`;

/** What is kept and handed out: the document unchanged, with the authority's answer beside it. */
export const authorizedDocument = (note: string, protocolXml: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="${FISCAL_NAMESPACE}" versao="${LAYOUT}">${note}${protocolXml}</nfeProc>`;
export const registeredEvent = (event: string, answerXml: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><procEventoNFe xmlns="${FISCAL_NAMESPACE}" versao="${EVENT_LAYOUT}">${event}${answerXml}</procEventoNFe>`;
export const registeredVoid = (request: string, answerXml: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><ProcInutNFe xmlns="${FISCAL_NAMESPACE}" versao="${LAYOUT}">${request}${answerXml}</ProcInutNFe>`;

export const supplement = (qrCodeUrl: string, consultationUrl: string): string =>
  group('infNFeSupl', element('qrCode', qrCodeUrl), element('urlChave', consultationUrl));
