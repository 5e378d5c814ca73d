import type { Histories } from '../../kernel/events/history.js';
import { entity } from '../../kernel/events/history.js';
import type { DocumentFacts, FiscalEvent } from './events.js';
import { inPortuguese } from './failure-sentences.js';

const of = (documentId: string, saleId: string) => [entity('document', documentId), entity('sale', saleId)];
const about = ({ document: { documentId, saleId } }: { readonly document: DocumentFacts }) => of(documentId, saleId);
const aboutIds = ({ documentId, saleId }: { readonly documentId: string; readonly saleId: string }) =>
  of(documentId, saleId);

/** «NFC-e 1/42», or without its number while it has none. */
function called({ model, series, number }: Pick<DocumentFacts, 'model' | 'series' | 'number'>): string {
  const kind = model === 65 ? 'NFC-e' : 'NF-e';
  return number === null ? kind : `${kind} ${String(series)}/${String(number)}`;
}

const words = ({ rejection }: DocumentFacts): string => (rejection ? `${rejection.code} ${rejection.message}` : '');

export const fiscalHistory: Histories<FiscalEvent> = {
  DocumentPrepared: {
    about,
    pt: ({ document, total }, say) => `A ${called(document)} foi preparada e assinada, ${say.money(total)}.`,
    en: ({ document, total }, say) => `${called(document)} was prepared and signed, ${say.money(total)}.`,
  },
  DocumentAuthorized: {
    about,
    pt: ({ document }) => `A ${called(document)} foi autorizada, protocolo ${document.protocol ?? ''}.`,
    en: ({ document }) => `${called(document)} was authorized, protocol ${document.protocol ?? ''}.`,
  },
  DocumentRejected: {
    about,
    pt: ({ document }) => `A ${called(document)} foi rejeitada: ${words(document)}.`,
    en: ({ document }) => `${called(document)} was rejected: ${words(document)}.`,
  },
  DocumentFailed: {
    about,
    pt: ({ document, failure }) => `A ${called(document)} não pôde ser emitida: ${inPortuguese(failure).message}.`,
    en: ({ document, failure }) => `${called(document)} could not be issued: ${failure.message}.`,
  },
  DocumentEnteredContingency: {
    about,
    pt: ({ document }) => `A ${called(document)} foi emitida em contingência: ${document.contingency?.reason ?? ''}.`,
    en: ({ document }) => `${called(document)} was issued in contingency: ${document.contingency?.reason ?? ''}.`,
  },
  DocumentReplaced: {
    about: ({ documentId, saleId, replacedBy }) => [...of(documentId, saleId), entity('document', replacedBy)],
    pt: () => 'Outro documento tomou o lugar deste.',
    en: () => 'Another document took the place of this one.',
  },
  DocumentCancellationRequested: {
    about,
    pt: ({ document, reason }) => `O cancelamento da ${called(document)} foi pedido: ${reason}.`,
    en: ({ document, reason }) => `The cancellation of ${called(document)} was asked for: ${reason}.`,
  },
  DocumentCancellationRefused: {
    about: aboutIds,
    pt: ({ code, message }) => `O cancelamento foi recusado: ${code} ${message}.`,
    en: ({ code, message }) => `The cancellation was refused: ${code} ${message}.`,
  },
  DocumentCancelled: {
    about,
    pt: ({ document }) => `A ${called(document)} foi cancelada.`,
    en: ({ document }) => `${called(document)} was cancelled.`,
  },
  NumberVoidRequested: {
    about: aboutIds,
    pt: (data) => `A inutilização do número da ${called(data)} foi pedida: ${data.reason}.`,
    en: (data) => `Giving up the number of ${called(data)} was asked for: ${data.reason}.`,
  },
  NumberVoidRefused: {
    about: aboutIds,
    pt: ({ code, message }) => `A inutilização foi recusada: ${code} ${message}.`,
    en: ({ code, message }) => `Giving up the number was refused: ${code} ${message}.`,
  },
  NumberVoided: {
    about,
    pt: ({ document, reason, protocol }) =>
      `O número da ${called(document)} foi inutilizado${protocol === null ? '' : `, protocolo ${protocol}`}: ${reason}.`,
    en: ({ document, reason, protocol }) =>
      `The number of ${called(document)} was given up${protocol === null ? '' : `, protocol ${protocol}`}: ${reason}.`,
  },
  DocumentAbandoned: {
    about: aboutIds,
    pt: () => 'O documento foi abandonado antes de ter um número.',
    en: () => 'The document was abandoned before it had a number.',
  },
  NumberingAdvanced: {
    about: () => [],
    kinds: ['store'],
    pt: ({ model, series, next }) =>
      `O próximo número ${model === 65 ? 'da NFC-e' : 'da NF-e'}, série ${String(series)}, passou a ser ${String(next)}.`,
    en: ({ model, series, next }) =>
      `The next number of ${model === 65 ? 'NFC-e' : 'NF-e'}, series ${String(series)}, became ${String(next)}.`,
  },
};
