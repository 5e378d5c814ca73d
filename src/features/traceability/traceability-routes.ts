import { z } from 'zod';
import { id, name, queryInteger } from '../../kernel/values/fields.js';
import type { Reply, Route } from '../../kernel/routes/route.js';
import { RawJsonBytes, Streamed, route } from '../../kernel/routes/route.js';
import { XLSX_TYPE } from '../../kernel/files/xlsx.js';
import { LOT_CODE_LENGTH, LOT_NOT_FOUND } from '../contracts/stock-keeper.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { recallAnswer, traceAnswer } from './answers.js';
import { drillRoutes } from './drills/drill-routes.js';
import { EPCIS_TYPE } from './epcis-document.js';
import { MAX_DEPTH } from './graph-walk.js';
import { CSV_TYPE, recallCsv } from './recall-csv.js';
import { recallEpcis } from './recall-epcis.js';
import { recallListRoutes } from './recall-list-routes.js';
import { recall } from './recall.js';
import { summedUp, surroundingsOf } from './recall-overview.js';
import { recallXlsx } from './recall-xlsx.js';
import type { RecallServices } from './recall-scope.js';
import { scopeOf } from './recall-scope.js';
import { keptTrace } from './trace.js';

const LAST_PAGE = 1_000_000;
const DEFAULT_SIZE = 50;
const TRACE_SIZE = 200;
const RECALL_SIZE = 500;

const lot = {
  lotCode: name(LOT_CODE_LENGTH),
  variantId: id.optional().meta({ description: 'Narrows a code that several products share' }),
  page: queryInteger(1, LAST_PAGE).default(1),
};

const tag = 'Traceability';

export const traceabilityRoutes = (services: RecallServices): readonly Route[] => [
  route({
    method: 'get',
    path: '/bakery-production/traceability',
    operationId: 'traceLot',
    tag,
    summary: 'Traces a lot through all orders: backward to its inputs, forward to what was made of it',
    description:
      'The orders come page by page, nearest first, with the lots and edges that belong to them; `total` counts all orders. ' +
      'An edge marked `settledLater` is of goods that an order had owed when it was completed; a quantity of 0 was brought back by a reversal.',
    permission: 'production.view',
    request: {
      query: z.strictObject({
        ...lot,
        direction: z.enum(['backward', 'forward']).default('backward'),
        pageSize: queryInteger(1, TRACE_SIZE).default(DEFAULT_SIZE),
        depth: queryInteger(1, MAX_DEPTH).default(MAX_DEPTH),
      }),
    },
    response: { status: 200, schema: traceAnswer },
    rejections: [LOT_NOT_FOUND],
    async handle({ query }, context) {
      const timeZone = await timeZoneOf(services.stores, context.storeId);
      const known = { catalogue: services.catalogue, timeZone };
      return { body: new RawJsonBytes(await keptTrace(context, known, { ...query, variantId: query.variantId })) };
    },
  }),
  route({
    method: 'get',
    path: '/bakery-production/recall',
    operationId: 'recallLot',
    tag,
    summary: 'Recalls a lot: who bought it, or anything that was made with it, and what is left',
    description:
      'For the lot of a finished product or of an input. `format=csv` gives all pages for a spreadsheet; `format=xlsx` one workbook with summary, lots, sales, customers to call and what is left, in Portuguese, whose cells keep documents, phones and access keys whole; `format=epcis` all events as GS1 EPCIS 2.0.',
    permission: 'reports.view',
    request: {
      query: z.strictObject({
        ...lot,
        pageSize: queryInteger(1, RECALL_SIZE).default(DEFAULT_SIZE),
        format: z.enum(['json', 'csv', 'xlsx', 'epcis']).default('json'),
      }),
    },
    response: { status: 200, schema: recallAnswer, alternatives: ['text/csv', XLSX_TYPE, 'application/ld+json'] },
    rejections: [LOT_NOT_FOUND],
    async handle({ query }, context): Promise<Reply> {
      const { lotCode, variantId, format } = query;
      if (format === 'json') {
        return { body: new RawJsonBytes(await recall(context, services, { ...query, variantId })) };
      }
      const scope = await scopeOf(context, services, { lotCode, variantId }, format === 'xlsx');
      const surroundings = await surroundingsOf(context, services);
      if (format === 'epcis') {
        const pieces = recallEpcis(context, services, scope, surroundings);
        return { body: new Streamed(EPCIS_TYPE, pieces), headers: attachment(lotCode, 'jsonld') };
      }
      if (format === 'xlsx') {
        const summary = await summedUp(context, scope, surroundings);
        const pieces = recallXlsx({ context, services, scope, summary, timeZone: surroundings.timeZone });
        return { body: new Streamed(XLSX_TYPE, pieces), headers: attachment(lotCode, 'xlsx') };
      }
      const pieces = recallCsv(context, services, scope, surroundings);
      return { body: new Streamed(CSV_TYPE, pieces), headers: attachment(lotCode, 'csv') };
    },
  }),
  ...recallListRoutes(services),
  ...drillRoutes(services),
];

/** A file name that every system takes. */
function attachment(lotCode: string, ending: string): Readonly<Record<string, string>> {
  const safe = lotCode.normalize('NFD').replace(/[^A-Za-z0-9._-]+/g, '');
  return { 'Content-Disposition': `attachment; filename="recall-${safe === '' ? 'lot' : safe}.${ending}"` };
}
