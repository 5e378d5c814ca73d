import { z } from 'zod';
import type { StockRecordKind } from '../../../../projections/inventory/stock-records.js';
import { stockRecords } from '../../../../projections/inventory/stock-records.js';
import { wordOfId } from '../../../../projections/inventory/parts/id-words.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import { cursorAt, placeAt } from '../../../kernel/routes/list-cursors.js';
import { listAnswer, listQuery, rangeOf } from '../../../kernel/routes/lists.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { defined } from '../../../kernel/values/defined.js';
import { id, name, pathId } from '../../../kernel/values/fields.js';
import { foldText } from '../../../kernel/values/words.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import { adjustmentAnswer, receiptAnswer, transferAnswer } from './answers.js';
import { NAME_LENGTH, sharedId } from './bodies.js';
import { withoutHiddenCosts } from './costs.js';
import { withExpiryDays } from './lot-answers.js';
import type { StockServices } from './services.js';
import { viewing } from './services.js';

/** What was written about the stock, to be read again: receipts, adjustments, transfers. */

const common = listQuery.extend({
  variantId: id.optional(),
  lotId: id.optional(),
});
const ofReceipts = common.extend({
  supplier: name(NAME_LENGTH).optional(),
  document: name(NAME_LENGTH).optional(),
});
const ofAdjustments = common.extend({ countId: sharedId.optional() });

type Asked = z.output<typeof common> & {
  readonly supplier?: string | undefined;
  readonly document?: string | undefined;
  readonly countId?: string | undefined;
};

interface Kind<Q extends z.ZodType<Asked>> {
  readonly kind: StockRecordKind;
  readonly path: string;
  readonly words: readonly [one: string, many: string];
  readonly query: Q;
  readonly answer: z.ZodType;
}

/** A cursor of the records in which all kinds stand. */
const CURSOR = /^([\w-]+)$/;

const folded = (text: string | undefined): string | undefined => (text === undefined ? undefined : foldText(text));

function listAndRead<Q extends z.ZodType<Asked>>({ stores }: StockServices, kind: Kind<Q>): readonly Route[] {
  const { path, words, answer } = kind;
  return [
    route({
      ...viewing,
      method: 'get',
      path,
      summary: `Lists the ${words[1]}, the newest first`,
      description: 'from and to speak of when they were recorded. Costs of what production made need production.costs.',
      request: { query: kind.query },
      response: { status: 200, schema: listAnswer(answer) },
      async handle({ query }, context) {
        const { cursor: given, limit, variantId, lotId, supplier, document, countId, ...period } = query as Asked;
        const timeZone = await timeZoneOf(stores, context.storeId);
        const [cursor] = given === undefined ? [] : placeAt(path, given, CURSOR);
        const named = [variantId, lotId].filter((one) => one !== undefined).map(wordOfId);
        const page = await context.reads.find(stockRecords, {
          equal: defined({ kind: kind.kind, supplier: folded(supplier), document: folded(document), countId }),
          ...(named.length === 0 ? {} : { words: named.join(' ') }),
          ...rangeOf('createdAt', period, timeZone),
          sort: { column: 'createdAt', direction: 'desc' },
          limit,
          ...(cursor === undefined ? {} : { cursor }),
        });
        const records = withExpiryDays(
          page.items.map(({ body }) => JSON.parse(body) as object),
          timeZone,
        );
        const items = await withoutHiddenCosts(context, records);
        return { body: { items, nextCursor: page.nextCursor && cursorAt(path, page.nextCursor) } };
      },
    }),
    route({
      ...viewing,
      method: 'get',
      path: `${path}/{id}`,
      summary: `Gives one ${words[0]} with its items, its reason and who wrote it`,
      request: { params: z.strictObject({ id: pathId }) },
      response: { status: 200, schema: answer, etag: true },
      async handle({ params }, context) {
        const record = await context.reads.get(stockRecords, params.id);
        const hidden = record && (JSON.parse(record.hidden) as { readonly kind: string; readonly revision: number });
        if (!record || hidden?.kind !== kind.kind) throw new Rejection(NOT_FOUND);
        const timeZone = await timeZoneOf(stores, context.storeId);
        const [body] = await withoutHiddenCosts(context, withExpiryDays([JSON.parse(record.body) as object], timeZone));
        return { body, etag: hidden.revision };
      },
    }),
  ];
}

export const stockRecordRoutes = (services: StockServices): readonly Route[] => [
  ...listAndRead(services, {
    kind: 'RECEIPT',
    path: '/stock/receipts',
    words: ['receipt', 'receipts'],
    query: ofReceipts,
    answer: receiptAnswer,
  }),
  ...listAndRead(services, {
    kind: 'ADJUSTMENT',
    path: '/stock/adjustments',
    words: ['adjustment', 'adjustments'],
    query: ofAdjustments,
    answer: adjustmentAnswer,
  }),
  ...listAndRead(services, {
    kind: 'TRANSFER',
    path: '/stock/transfers',
    words: ['transfer', 'transfers'],
    query: common,
    answer: transferAnswer,
  }),
];
