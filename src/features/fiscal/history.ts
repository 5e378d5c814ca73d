import type { Histories, Voice } from '../../kernel/events/history.js';
import { entity } from '../../kernel/events/history.js';
import type { DocumentFacts, FiscalEvent } from './events.js';
import { inPortuguese } from './failure-sentences.js';

const of = (documentId: string, saleId: string) => [entity('document', documentId), entity('sale', saleId)];
const about = ({ document: { documentId, saleId } }: { readonly document: DocumentFacts }) => of(documentId, saleId);
const aboutIds = ({ documentId, saleId }: { readonly documentId: string; readonly saleId: string }) =>
  of(documentId, saleId);

/** «NFC-e 1/42», or without its number while it has none. */
export function called({ model, series, number }: Pick<DocumentFacts, 'model' | 'series' | 'number'>): string {
  const kind = model === 65 ? 'NFC-e' : 'NF-e';
  return number === null ? kind : `${kind} ${String(series)}/${String(number)}`;
}

type Of = Pick<DocumentFacts, 'documentId' | 'saleId'>;

/** What is sold says which document it is, also while that has no number. */
const ofSale = (name: string, { saleId }: Of, say: Voice) => ({
  pt: `${name} da venda ${say.name('sale', saleId)}`,
  en: `${name} of sale ${say.name('sale', saleId)}`,
});
const known = (document: DocumentFacts, say: Voice) => ofSale(called(document), document, say);
const namedWithSale = (ids: Of, say: Voice) => ofSale(say.name('document', ids.documentId), ids, say);

const words = ({ rejection }: DocumentFacts): string => (rejection ? `${rejection.code} ${rejection.message}` : '');

export const fiscalHistory: Histories<FiscalEvent> = {
  DocumentPrepared: {
    about,
    pt: ({ document, total }, say) => `A ${known(document, say).pt} foi preparada e assinada, ${say.money(total)}.`,
    en: ({ document, total }, say) => `${known(document, say).en} was prepared and signed, ${say.money(total)}.`,
  },
  DocumentAuthorized: {
    about,
    pt: ({ document }, say) => `A ${known(document, say).pt} foi autorizada, protocolo ${document.protocol ?? ''}.`,
    en: ({ document }, say) => `${known(document, say).en} was authorized, protocol ${document.protocol ?? ''}.`,
  },
  DocumentRejected: {
    about,
    pt: ({ document }, say) => `A ${known(document, say).pt} foi rejeitada: ${words(document)}.`,
    en: ({ document }, say) => `${known(document, say).en} was rejected: ${words(document)}.`,
  },
  DocumentFailed: {
    about,
    pt: ({ document, failure }, say) =>
      `A ${known(document, say).pt} não pôde ser emitida: ${inPortuguese(failure).message}.`,
    en: ({ document, failure }, say) => `${known(document, say).en} could not be issued: ${failure.message}.`,
  },
  DocumentEnteredContingency: {
    about,
    pt: ({ document }, say) =>
      `A ${known(document, say).pt} foi emitida em contingência: ${document.contingency?.reason ?? ''}.`,
    en: ({ document }, say) =>
      `${known(document, say).en} was issued in contingency: ${document.contingency?.reason ?? ''}.`,
  },
  DocumentReplaced: {
    about: ({ documentId, saleId, replacedBy }) => [...of(documentId, saleId), entity('document', replacedBy)],
    pt: (data, say) => `Outro documento tomou o lugar da ${namedWithSale(data, say).pt}.`,
    en: (data, say) => `Another document took the place of ${namedWithSale(data, say).en}.`,
  },
  DocumentCancellationRequested: {
    about,
    pt: ({ document, reason }, say) => `O cancelamento da ${known(document, say).pt} foi pedido: ${reason}.`,
    en: ({ document, reason }, say) => `The cancellation of ${known(document, say).en} was asked for: ${reason}.`,
  },
  DocumentCancellationRefused: {
    about: aboutIds,
    pt: ({ code, message, ...ids }, say) =>
      `O cancelamento da ${namedWithSale(ids, say).pt} foi recusado: ${code} ${message}.`,
    en: ({ code, message, ...ids }, say) =>
      `The cancellation of ${namedWithSale(ids, say).en} was refused: ${code} ${message}.`,
  },
  DocumentCancelled: {
    about,
    pt: ({ document }, say) => `A ${known(document, say).pt} foi cancelada.`,
    en: ({ document }, say) => `${known(document, say).en} was cancelled.`,
  },
  NumberVoidRequested: {
    about: aboutIds,
    pt: (data, say) => `A inutilização do número da ${ofSale(called(data), data, say).pt} foi pedida: ${data.reason}.`,
    en: (data, say) => `Giving up the number of ${ofSale(called(data), data, say).en} was asked for: ${data.reason}.`,
  },
  NumberVoidRefused: {
    about: aboutIds,
    pt: ({ code, message, ...ids }, say) =>
      `A inutilização do número da ${namedWithSale(ids, say).pt} foi recusada: ${code} ${message}.`,
    en: ({ code, message, ...ids }, say) =>
      `Giving up the number of ${namedWithSale(ids, say).en} was refused: ${code} ${message}.`,
  },
  NumberVoided: {
    about,
    pt: ({ document, reason, protocol }, say) =>
      `O número da ${known(document, say).pt} foi inutilizado${protocol === null ? '' : `, protocolo ${protocol}`}: ${reason}.`,
    en: ({ document, reason, protocol }, say) =>
      `The number of ${known(document, say).en} was given up${protocol === null ? '' : `, protocol ${protocol}`}: ${reason}.`,
  },
  DocumentAbandoned: {
    about: aboutIds,
    pt: (data, say) => `A ${namedWithSale(data, say).pt} foi abandonada antes de ter um número.`,
    en: (data, say) => `${namedWithSale(data, say).en} was abandoned before it had a number.`,
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
