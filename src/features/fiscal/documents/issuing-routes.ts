import { z } from 'zod';
import { Rejection } from '../../../kernel/events/rejection.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { id, mayBeAbsent, name, pathId } from '../../../kernel/values/fields.js';
import { DOCUMENT_EXISTS, NOTHING_TO_TAX, SALE_CANCELLED } from '../../contracts/sales-to-tax.js';
import { layoutText } from '../domain/xml/markup.js';
import { MODELS } from '../events.js';
import { fiscal } from '../decider.js';
import { CANCEL } from '../issuing/transmission.js';
import { VOID } from '../issuing/voiding.js';
import { modelKey, workOf } from '../issuing/wishes.js';
import { storeOf } from '../issuing/services.js';
import {
  CANCELLATION_REFUSED,
  CANCELLATION_TOO_LATE,
  CERTIFICATE_MISSING,
  CONTINGENCY_NOT_POSSIBLE,
  DOCUMENT_DENIED,
  DOCUMENT_REPLACED,
  DOCUMENT_STATE,
  SERIES_FULL,
  VOID_REFUSED,
} from '../rejections.js';
import { documentAnswer } from './answers.js';
import type { DocumentServices } from './services.js';
import { documentReply, expectCurrent, expectRecord, managing, withPatience } from './services.js';

const MINUTE = 60_000;
const params = z.strictObject({ id: pathId });
const LEAST_REASON = 15;
/** Counted as the layout counts: without what it has no letters for. */
const explanation = (maximum: number) =>
  name(maximum, LEAST_REASON).refine((text) => layoutText(text, maximum).length >= LEAST_REASON, {
    error: 'must have at least 15 characters that a fiscal document can hold',
  });
const reason = z.strictObject({ reason: explanation(255) });

const newDocument = z
  .strictObject({
    saleId: id,
    model: z.literal(MODELS),
    contingency: mayBeAbsent(z.boolean()).meta({
      description: 'Of model 65: issues it offline, to be transmitted later',
    }),
    contingencyReason: mayBeAbsent(explanation(256)),
  })
  .meta({ id: 'FiscalDocumentBody' });

const response = { status: 200, schema: documentAnswer, etag: true } as const;

export const issueDocument = (services: DocumentServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: '/fiscal/documents',
    summary: 'Issues the fiscal document of a sale',
    description:
      'Taxes what was not returned before. It waits for the authority up to 5 s and gives the document as it stands: AUTHORIZED, REJECTED, CONTINGENCY, PENDING, or FAILED with everything that is missing. Services stand in no document of goods.',
    request: { body: newDocument },
    response: { ...response, status: 201 },
    rejections: [DOCUMENT_EXISTS, NOTHING_TO_TAX, SALE_CANCELLED, CONTINGENCY_NOT_POSSIBLE, SERIES_FULL],
    async handle({ body }, context) {
      const { saleId, model, contingency = false, contingencyReason } = body;
      const { fiscal } = await storeOf(services.issuing, context);
      if (contingency && (model === 55 || !fiscal.offline65)) throw notOffline();
      const documentId = await services.desk.newIdFor(context);
      const wish = { saleId, model, contingency, contingencyReason };
      const { ended } = await services.desk.issue(context, documentId, wish);
      await withPatience(services, ended);
      return documentReply(services, context, documentId);
    },
  });

const notOffline = (): Rejection =>
  new Rejection(CONTINGENCY_NOT_POSSIBLE, undefined, {
    errors: [{ path: 'contingency', message: 'is for model 65, in a store that allows it' }],
  });

export const transmitDocument = (services: DocumentServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: '/fiscal/documents/{id}/transmit',
    ifMatch: true,
    summary: 'Sends a document in contingency, or one that was rejected or failed, with what is known now',
    description: 'A rejected or failed document keeps its number; it is written and signed anew.',
    request: { params },
    response,
    rejections: [
      DOCUMENT_REPLACED,
      DOCUMENT_STATE,
      DOCUMENT_DENIED,
      DOCUMENT_EXISTS,
      NOTHING_TO_TAX,
      SALE_CANCELLED,
      SERIES_FULL,
    ],
    async handle({ params: { id: documentId } }, context) {
      const record = await expectRecord(services, context, documentId);
      const document = await services.desk.known(context, documentId);
      const isTransmitted = await services.desk.transmittedBefore(context, document);
      if (!isTransmitted) expectCurrent(context, record);
      const { ended } = isTransmitted
        ? services.desk.followed(context, document)
        : await services.desk.transmit(context, document);
      await withPatience(services, ended);
      return documentReply(services, context, documentId);
    },
  });

export const cancelDocument = (services: DocumentServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: '/fiscal/documents/{id}/cancel',
    ifMatch: true,
    summary: 'Cancels an authorized document',
    description:
      'While the authority has not answered it is still AUTHORIZED with a pending cancellation. Asking again sends the same event again.',
    request: { params, body: reason },
    response,
    rejections: [DOCUMENT_STATE, CANCELLATION_TOO_LATE, CANCELLATION_REFUSED, CERTIFICATE_MISSING],
    async handle({ params: { id: documentId }, body }, context) {
      const record = await expectRecord(services, context, documentId);
      const { issuing, desk } = services;
      if (await context.recordedBefore(fiscal, CANCEL)) {
        if (record.status === 'CANCELLED') return documentReply(services, context, documentId);
      } else {
        expectCurrent(context, record);
        if (record.status !== 'AUTHORIZED') throw new Rejection(DOCUMENT_STATE, `The document is ${record.status}`);
      }
      const store = await storeOf(issuing, context);
      const within = store.fiscal.cancelMinutes[modelKey(record.model)] * MINUTE;
      const document = await desk.known(context, documentId);
      const asked = { ...body, within };
      const isRequested = await desk.transmission.requestCancellation(context, store, document, asked);
      if (!isRequested) throw new Rejection(CERTIFICATE_MISSING);
      const sending = desk.cancelRequested(context, store, documentId);
      await withPatience(services, sending.ended);
      const answer = sending.answer();
      if (answer?.kind === 'refused') {
        throw new Rejection(CANCELLATION_REFUSED, answer.words.message, { authority: answer.words });
      }
      return documentReply(services, context, documentId);
    },
  });

export const voidDocumentNumber = (services: DocumentServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: '/fiscal/documents/{id}/void',
    ifMatch: true,
    summary: 'Gives up the number of a rejected or failed document, and tells the authority',
    description:
      'While the authority has not answered the document keeps its status, and `voided.at` is null. Asking again sends the same request again, for its first reason.',
    request: { params, body: reason },
    response,
    rejections: [DOCUMENT_STATE, DOCUMENT_REPLACED, VOID_REFUSED, CERTIFICATE_MISSING],
    async handle({ params: { id: documentId }, body }, context) {
      const record = await expectRecord(services, context, documentId);
      if (await context.recordedBefore(fiscal, VOID)) {
        if (record.status === 'VOIDED') return documentReply(services, context, documentId);
      } else {
        expectCurrent(context, record);
      }
      const { issuing, desk } = services;
      const store = await storeOf(issuing, context);
      const document = await desk.known(context, documentId);
      const answer = await desk.voiding.void(context, store, document, body.reason);
      if (answer === 'no-certificate') throw new Rejection(CERTIFICATE_MISSING);
      // Sooner than the row that a crash would leave.
      if (answer === 'unheard') await issuing.work.postpone(workOf(store, document), 'asking');
      if (answer !== 'unheard' && answer.kind === 'refused') {
        throw new Rejection(VOID_REFUSED, answer.words.message, { authority: answer.words });
      }
      return documentReply(services, context, documentId);
    },
  });
