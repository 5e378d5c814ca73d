import { z } from 'zod';
import { ENVIRONMENTS } from '../../contracts/fiscal-settings.js';
import { MODELS, STATUSES } from '../events.js';

/** A document as it is read and as commands answer it. */

const text = z.string();
const moment = z.iso.datetime();

export const documentAnswer = z
  .object({
    id: z.uuid(),
    saleId: z.uuid(),
    model: z.literal(MODELS),
    series: z.int(),
    number: z.int().nullable().meta({ description: 'null as long as it failed before it took one' }),
    accessKey: text.nullable(),
    status: z.enum(STATUSES),
    protocol: text.nullable(),
    environment: z.enum(ENVIRONMENTS),
    issuedAt: moment,
    qrCodeUrl: text.nullable(),
    rejection: z.object({ code: text, message: text }).nullable(),
    contingency: z.object({ type: z.enum(['OFFLINE', 'SVC_AN', 'SVC_RS']), since: moment, reason: text }).nullable(),
    cancellation: z
      .object({
        status: z.enum(['PENDING', 'DONE']),
        protocol: text.nullable(),
        reason: text,
        cancelledAt: moment.nullable(),
      })
      .nullable(),
    links: z.object({ document: text, xml: text, pdf: text }),
    total: z.number().nullable(),
    failure: z
      .object({ code: text, message: text, missing: z.array(text) })
      .nullable()
      .meta({ description: 'Why it failed before the authority heard of it; `missing` names all of it at once' }),
    numberTaken: z.boolean().meta({ description: 'The number lives under another key: transmit takes the next' }),
    final: z.boolean().meta({ description: 'Denied for good: it is never sent again' }),
    voided: z
      .object({
        reason: text,
        protocol: text.nullable(),
        at: moment.nullable().meta({ description: 'null while the authority has not answered' }),
      })
      .nullable(),
    createdAt: moment,
    updatedAt: moment,
    authorizedAt: moment.nullable(),
    replaces: z.uuid().nullable(),
    replacedBy: z.uuid().nullable(),
  })
  .meta({ id: 'FiscalDocument' });
