import { z } from 'zod';
import type { FiscalRecord } from '../../../../projections/fiscal/documents.js';
import { fiscalDocuments } from '../../../../projections/fiscal/documents.js';
import { listAnswer, listQuery, pagesOf, rangeOf } from '../../../kernel/routes/lists.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { Route } from '../../../kernel/routes/route.js';
import { RawJson, Streamed, route } from '../../../kernel/routes/route.js';
import { startOfDay } from '../../../kernel/values/days.js';
import { toIso } from '../../../kernel/values/clock.js';
import { id, pathId } from '../../../kernel/values/fields.js';
import { isUuid } from '../../../kernel/values/ids.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import { MODELS, STATUSES } from '../events.js';
import { NO_XML } from '../rejections.js';
import { zipped } from '../../../kernel/files/zip.js';
import { documentAnswer } from './answers.js';
import { filesOf } from './export-files.js';
import { allTold } from './failure-words.js';
import type { DocumentServices } from './services.js';
import { documentReply, expectRecord, viewing } from './services.js';
import { cancellationFile, documentFile } from './xml-files.js';

const DAY = 24 * 3_600_000;
const XML_TYPE = 'application/xml; charset=utf-8';
const PDF_TYPE = 'application/pdf';
const ZIP_TYPE = 'application/zip';
const MOST_OF_A_SALE = 200;

const params = z.strictObject({ id: pathId });
const query = listQuery.extend({
  status: z.enum(STATUSES).optional(),
  model: z
    .enum(['55', '65'])
    .transform(Number)
    .optional()
    .meta({ type: 'integer', enum: [...MODELS] }),
  saleId: id.optional(),
});

export const listDocuments = ({ issuing }: DocumentServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/fiscal/documents',
    summary: 'Lists the fiscal documents, the newest first',
    request: { query },
    response: { status: 200, schema: listAnswer(documentAnswer) },
    async handle({ query: { cursor, limit, status, model, saleId, ...period } }, context) {
      const timeZone = await timeZoneOf(issuing.stores, context.storeId);
      const equal = {
        ...(status === undefined ? {} : { status }),
        ...(model === undefined ? {} : { model }),
        ...(saleId === undefined ? {} : { saleId }),
      };
      const page = await context.reads.findBodies(fiscalDocuments, {
        sort: { column: 'createdAt', direction: 'desc' },
        limit,
        equal,
        ...rangeOf('createdAt', period, timeZone),
        ...(cursor === undefined ? {} : { cursor }),
      });
      return {
        body: new RawJson(
          `{"items":[${allTold(context, page.items).join(',')}],"nextCursor":${JSON.stringify(page.nextCursor)}}`,
        ),
      };
    },
  });

export const documentsOfSale = ({ issuing }: DocumentServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/fiscal/documents/by-sale/{saleId}',
    summary: 'Gives the fiscal documents of a sale, the newest first',
    request: { params: z.strictObject({ saleId: pathId }) },
    response: { status: 200, schema: z.array(documentAnswer) },
    async handle({ params: { saleId } }, context) {
      if (!isUuid(saleId)) throw new Rejection(NOT_FOUND);
      const page = await context.reads.findBodies(fiscalDocuments, {
        sort: { column: 'createdAt', direction: 'desc' },
        equal: { saleId },
        limit: MOST_OF_A_SALE,
      });
      if (page.items.length === 0 && !(await issuing.sales.read(context, saleId))) throw new Rejection(NOT_FOUND);
      return { body: new RawJson(`[${allTold(context, newestFirst(page.items)).join(',')}]`) };
    },
  });

/** Two that one request made have the same time: what stands in the place of another is the newer one. */
function newestFirst(bodies: readonly string[]): readonly string[] {
  if (bodies.length < 2) return bodies;
  const ordered: { readonly id: string; readonly body: string }[] = [];
  for (const body of bodies) {
    const { id, replaces } = JSON.parse(body) as FiscalRecord;
    const replaced = ordered.findIndex((other) => other.id === replaces);
    ordered.splice(replaced < 0 ? ordered.length : replaced, 0, { id, body });
  }
  return ordered.map(({ body }) => body);
}

export const readDocument = (services: DocumentServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/fiscal/documents/{id}',
    summary: 'Gives one fiscal document with its entity tag',
    request: { params },
    response: { status: 200, schema: documentAnswer, etag: true },
    handle: (input, context) => documentReply(services, context, input.params.id),
  });

const inline = (name: string) => ({ 'Content-Disposition': `inline; filename="${name}"` });

export const documentXml = (services: DocumentServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/fiscal/documents/{id}/xml',
    summary: "Gives a document's XML: the `nfeProc` once it is authorized, else what was signed",
    request: {
      params,
      query: z.strictObject({
        part: z.enum(['document', 'cancellation']).default('document').meta({
          description: "`cancellation` gives the cancellation's event",
        }),
      }),
    },
    response: { status: 200, alternatives: ['application/xml'] },
    rejections: [NO_XML],
    async handle({ params: { id: documentId }, query: { part } }, context) {
      const record = await expectRecord(services, context, documentId);
      const { documents } = services.issuing;
      const file = part === 'document' ? documentFile : cancellationFile;
      const made = await file(documents, context, record);
      if (!made) throw new Rejection(NO_XML);
      return { body: new Streamed(XML_TYPE, once(made.xml)), headers: inline(made.name) };
    },
  });

export const documentPdf = (services: DocumentServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/fiscal/documents/{id}/pdf',
    summary: 'Gives the printable document: DANFE on A4 for model 55, DANFCE on an 80 mm roll for model 65',
    request: { params },
    response: { status: 200, alternatives: [PDF_TYPE] },
    rejections: [NO_XML],
    async handle({ params: { id: documentId } }, context) {
      const record = await expectRecord(services, context, documentId);
      const xml = await services.issuing.documents.text(context, documentId, 'note', record.texts);
      if (xml === undefined) throw new Rejection(NO_XML);
      const { status, protocol, authorizedAt, accessKey } = record;
      const timeZone = await timeZoneOf(services.issuing.stores, context.storeId);
      const pdf = await services.printer.print(context.storeId, { xml, status, protocol, authorizedAt, timeZone });
      return { body: new Streamed(PDF_TYPE, once(pdf)), headers: inline(`${accessKey ?? documentId}.pdf`) };
    },
  });

// eslint-disable-next-line @typescript-eslint/require-await -- one piece is a stream as well
async function* once<T>(piece: T): AsyncGenerator<T> {
  yield piece;
}

export const exportDocuments = (services: DocumentServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/fiscal/documents/export',
    summary: "Gives a month's XML as a ZIP, one folder a model, for the accountant",
    description:
      'Authorized, cancelled and voided documents that were issued in the month, as their keys say; cancellations lie beside their documents.',
    request: {
      query: z.strictObject({
        month: z.string().regex(/^[0-9]{4}-(?:0[1-9]|1[0-2])$/, { error: 'must be a month: YYYY-MM' }),
      }),
    },
    response: { status: 200, alternatives: [ZIP_TYPE] },
    handle({ query: { month } }, context) {
      const { issuing } = services;
      const begin = startOfDay(`${month}-01`, 'UTC');
      // Within this the month began and ended, however long it was and in whatever time zone the store was.
      const range = { column: 'issuedAt', from: toIso(begin - DAY), before: toIso(begin + 32 * DAY) };
      const pages = pagesOf((at) =>
        context.reads.find(fiscalDocuments, {
          sort: { column: 'issuedAt', direction: 'asc' },
          limit: 100,
          range,
          ...at,
        }),
      );
      const name = `fiscal-${month}.zip`;
      return {
        body: new Streamed(ZIP_TYPE, zipped(filesOf(issuing.documents, context, month, pages))),
        headers: { 'Content-Disposition': `attachment; filename="${name}"` },
      };
    },
  });
