import { z } from 'zod';
import type { StockRecordKind } from '../../../../projections/inventory/stock-records.js';
import { stockRecords } from '../../../../projections/inventory/stock-records.js';
import { wordOfId } from '../../../../projections/inventory/parts/id-words.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import { cursorAt, placeAt } from '../../../kernel/routes/list-cursors.js';
import { PIECE_LENGTH, turnToWrite } from '../../../kernel/files/pieces.js';
import { listAnswer, listQuery, rangeOf } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { RawJson, route } from '../../../kernel/routes/route.js';
import { defined } from '../../../kernel/values/defined.js';
import { id, name, pathId } from '../../../kernel/values/fields.js';
import { TurnsByKey } from '../../../kernel/values/turns.js';
import { foldText } from '../../../kernel/values/words.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { StoredRecord } from '../../../ports/read-models.js';
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

/**
 * The JSON of records. A page of large ones is megabytes of text: so much of it is worked at in one turn of the event loop that others come in
 * between.
 */
async function shownTexts(
  context: RequestContext,
  records: readonly StoredRecord[],
  timeZone: string,
): Promise<readonly string[]> {
  const texts: string[] = [];
  let [some, length] = [[] as object[], 0];
  for (const [index, { body }] of records.entries()) {
    some.push(JSON.parse(body) as object);
    length += body.length;
    const isLast = index === records.length - 1;
    if (length < PIECE_LENGTH && !isLast) continue;
    const shown = await withoutHiddenCosts(context, withExpiryDays(some, timeZone));
    for (const one of shown) texts.push(JSON.stringify(one));
    [some, length] = [[], 0];
    if (!isLast) await turnToWrite();
  }
  return texts;
}

function listAndRead<Q extends z.ZodType<Asked>>(
  { stores }: StockServices,
  turns: TurnsByKey,
  kind: Kind<Q>,
): readonly Route[] {
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
        const asked = {
          equal: defined({ kind: kind.kind, supplier: folded(supplier), document: folded(document), countId }),
          ...(named.length === 0 ? {} : { words: named.join(' ') }),
          ...rangeOf('createdAt', period, timeZone),
          sort: { column: 'createdAt', direction: 'desc' },
          limit,
          ...(cursor === undefined ? {} : { cursor }),
        } as const;
        const { items, nextCursor } = await turns.take(context.storeId, async () => {
          const page = await context.reads.find(stockRecords, asked);
          return { items: await shownTexts(context, page.items, timeZone), nextCursor: page.nextCursor };
        });
        const next = JSON.stringify(nextCursor && cursorAt(path, nextCursor));
        return { body: new RawJson(`{"items":[${items.join(',')}],"nextCursor":${next}}`) };
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

export function stockRecordRoutes(services: StockServices): readonly Route[] {
  // A store's pages are made one after the other: many at once would all lie in memory.
  const turns = new TurnsByKey();
  return [
    ...listAndRead(services, turns, {
      kind: 'RECEIPT',
      path: '/stock/receipts',
      words: ['receipt', 'receipts'],
      query: ofReceipts,
      answer: receiptAnswer,
    }),
    ...listAndRead(services, turns, {
      kind: 'ADJUSTMENT',
      path: '/stock/adjustments',
      words: ['adjustment', 'adjustments'],
      query: ofAdjustments,
      answer: adjustmentAnswer,
    }),
    ...listAndRead(services, turns, {
      kind: 'TRANSFER',
      path: '/stock/transfers',
      words: ['transfer', 'transfers'],
      query: common,
      answer: transferAnswer,
    }),
  ];
}
