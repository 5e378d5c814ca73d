import { z } from 'zod';
import { lots } from '../../../../projections/inventory/lots.js';
import { readNamed } from '../../../kernel/routes/named-records.js';
import { pathId } from '../../../kernel/values/fields.js';
import type { RejectionKind } from '../../../kernel/events/rejection.js';
import { COMMAND_TOO_LARGE, NOT_FOUND, Rejection, notFoundAt } from '../../../kernel/events/rejection.js';
import { pagesOf } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { LOT_NOT_FOUND } from '../../contracts/stock-keeper.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { StoredRecord } from '../../../ports/read-models.js';
import { inventory } from '../decider.js';
import { comparableCode } from '../events.js';
import { TOO_MANY_LOTS } from '../rejections.js';
import { lotAnswer } from './answers.js';
import { MOST_LOTS, lotMark, lotsMark } from './bodies.js';
import { lotDocument, lotRecord } from './lot-answers.js';
import { namedLot } from './stock-entry-routes.js';
import type { StockServices } from './services.js';
import { managing, viewing } from './services.js';

const params = z.strictObject({ lotId: pathId });

async function lotReply({ stores }: StockServices, context: RequestContext, lotId: string): Promise<Reply> {
  const record = await context.reads.get(lots, lotId);
  if (!record) throw new Rejection(NOT_FOUND);
  const lot = lotDocument(record);
  const timeZone = await timeZoneOf(stores, context.storeId);
  return { body: lotRecord(lot, { at: context.at, timeZone }), etag: lot.revision };
}

export const readLot = (services: StockServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/stock/lots/{lotId}',
    summary: 'Gives one lot with what is left of it, and who blocked or released it why',
    request: { params },
    response: { status: 200, schema: lotAnswer, etag: true },
    handle: ({ params: { lotId } }, context) => lotReply(services, context, lotId),
  });

const marking = (services: StockServices, type: 'block' | 'release', summary: string): Route =>
  route({
    ...managing,
    method: 'post',
    path: `/stock/lots/{lotId}/${type}`,
    summary,
    request: { params, body: lotMark },
    response: { status: 200, schema: lotAnswer, etag: true },
    async handle({ params: { lotId }, body: { reason } }, context) {
      const [record] = await readNamed(services.reads, context, lots, [lotId]);
      if (!record) throw new Rejection(NOT_FOUND);
      await context.execute(inventory, { type, lot: namedLot(record), reason });
      return lotReply(services, context, lotId);
    },
  });

export const blockLot = (services: StockServices): Route =>
  marking(services, 'block', 'Blocks a lot at all locations, also what of it comes back later');
export const releaseLot = (services: StockServices): Route =>
  marking(services, 'release', 'Lets a blocked lot be sold and used again');

/** Every lot that a request names: by ids, or all with a code. */
async function namedLots(
  services: StockServices,
  context: RequestContext,
  { lotIds, lotCode }: { readonly lotIds?: readonly string[] | undefined; readonly lotCode?: string | undefined },
): Promise<readonly StoredRecord[]> {
  if (lotCode !== undefined) return lotsWithCode(context, lotCode);
  const ids = [...new Set(lotIds)];
  const found = await readNamed(services.reads, context, lots, ids);
  const known = new Set(found.map(({ id }) => id));
  const unknown = (lotIds ?? []).flatMap((id, index) => (known.has(id) ? [] : [`lotIds[${String(index)}]`]));
  if (unknown.length > 0) throw notFoundAt(...unknown);
  return found;
}

const codeRefused = (kind: RejectionKind, message: string): Rejection =>
  new Rejection(kind, undefined, { errors: [{ path: 'lotCode', message }] });

async function lotsWithCode(context: RequestContext, lotCode: string): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  const query = { equal: { code: comparableCode(lotCode) }, sort: { column: 'entered', direction: 'asc' } } as const;
  for await (const page of pagesOf((at) => context.reads.find(lots, { ...query, limit: 200, ...at }))) {
    found.push(...page);
    if (found.length > MOST_LOTS) throw codeRefused(TOO_MANY_LOTS, 'names too many lots');
  }
  if (found.length === 0) throw codeRefused(LOT_NOT_FOUND, 'names no lot');
  return found;
}

const markingMany = (services: StockServices, type: 'block' | 'release', summary: string): Route =>
  route({
    ...managing,
    method: 'post',
    path: `/stock/lots/${type}`,
    summary,
    description: `Up to ${String(MOST_LOTS)} lots, by their ids or all with a code, as one fact: all of them or none. The answer says what is left of each.`,
    request: { body: lotsMark },
    response: { status: 200, schema: z.object({ items: z.array(lotAnswer) }) },
    rejections: [LOT_NOT_FOUND, TOO_MANY_LOTS, COMMAND_TOO_LARGE],
    async handle({ body }, context) {
      const named = await namedLots(services, context, body);
      const command = { lots: named.map(namedLot), reason: body.reason };
      await context.execute(inventory, { type: type === 'block' ? 'blockMany' : 'releaseMany', ...command });
      const timeZone = await timeZoneOf(services.stores, context.storeId);
      const records = await context.reads.getMany(
        lots,
        named.map(({ id }) => id),
      );
      return { body: { items: records.map((record) => lotRecord(lotDocument(record), { at: context.at, timeZone })) } };
    },
  });

export const blockLots = (services: StockServices): Route =>
  markingMany(services, 'block', 'Blocks many lots at once, at all locations');
export const releaseLots = (services: StockServices): Route =>
  markingMany(services, 'release', 'Releases many blocked lots at once');
