import type { FiscalRecord } from '../../../../projections/fiscal/documents.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { authorizedDocument, registeredEvent, registeredVoid } from '../domain/xml/event-xml.js';
import type { DocumentStore } from '../issuing/document-store.js';

/** A document's texts as they are handed out: with the authority's answer beside what was sent, once there is one. */

export interface XmlFile {
  readonly name: string;
  readonly xml: string;
}

type Made = Promise<XmlFile | undefined>;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

const nameOf = ({ accessKey, id }: FiscalRecord): string => accessKey ?? id;

export async function documentFile(documents: DocumentStore, context: RequestContext, record: FiscalRecord): Made {
  const [note, answer] = await Promise.all([
    documents.text(context, record.id, 'note', record.texts),
    documents.eventAt(context, record.texts.authorization),
  ]);
  if (note === undefined) return undefined;
  if (answer?.type !== 'DocumentAuthorized') return { name: `${nameOf(record)}-nfe.xml`, xml: DECLARATION + note };
  return { name: `${nameOf(record)}-procNFe.xml`, xml: authorizedDocument(note, answer.data.protocolXml) };
}

export async function cancellationFile(documents: DocumentStore, context: RequestContext, record: FiscalRecord): Made {
  const [event, answer] = await Promise.all([
    documents.text(context, record.id, 'cancellation', record.texts),
    documents.eventAt(context, record.texts.cancelled),
  ]);
  if (event === undefined) return undefined;
  const answerXml = answer?.type === 'DocumentCancelled' ? answer.data.answerXml : null;
  const kind = /<tpEvento>([0-9]{6})/.exec(event)?.[1] ?? '';
  const name = `${nameOf(record)}-${kind}`;
  if (answerXml === null) return { name: `${name}-evento.xml`, xml: DECLARATION + event };
  return { name: `${name}-procEventoNFe.xml`, xml: registeredEvent(event, answerXml) };
}

export async function voidFile(documents: DocumentStore, context: RequestContext, record: FiscalRecord): Made {
  const [request, answer] = await Promise.all([
    documents.text(context, record.id, 'void', record.texts),
    documents.eventAt(context, record.texts.voided),
  ]);
  if (request === undefined || answer?.type !== 'NumberVoided' || answer.data.answerXml === null) return undefined;
  const { series, number } = record;
  const name = `serie-${String(series)}-numero-${String(number ?? 0)}-ProcInutNFe.xml`;
  return { name, xml: registeredVoid(request, answer.data.answerXml) };
}
