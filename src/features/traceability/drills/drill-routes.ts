import { z } from 'zod';
import { actor } from '../../contracts/actor.js';
import { recallDrills as drills } from '../../../../projections/traceability/recall-drills.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import { listAnswer, listQuery, rangeOf } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { defined } from '../../../kernel/values/defined.js';
import { freeText, name, pathId, textOrNull } from '../../../kernel/values/fields.js';
import { comparableCode } from '../../inventory/events.js';
import { LOT_CODE_LENGTH, LOT_NOT_FOUND } from '../../contracts/stock-keeper.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { RecallServices } from '../recall-scope.js';
import { lotsWithCode } from '../lots.js';
import { scopeOf } from '../recall-scope.js';
import { recallDrills } from './decider.js';
import { DRILL_STEPS } from './events.js';
import { DRILL_FINISHED } from './rejections.js';
import { found, recordReply } from '../../../kernel/routes/stored-records.js';

const NOTES_LENGTH = 2_000;

const drilling = { tag: 'Traceability', permission: 'reports.view' } as const;
const lotCode = name(LOT_CODE_LENGTH);
const params = z.strictObject({ id: pathId });

const drillAnswer = z
  .object({
    id: z.uuid(),
    lotCode: z.string().meta({ description: 'As it was first written' }),
    startedAt: z.iso.datetime(),
    startedBy: actor,
    steps: z.array(z.object({ name: z.enum(DRILL_STEPS), doneAt: z.iso.datetime().nullable() })),
    finishedAt: z.iso.datetime().nullable(),
    shareFoundPercent: z
      .number()
      .nullable()
      .meta({ description: 'Of the goods of the lot, how many were accounted for when the drill was finished' }),
    minutes: z.number().nullable().meta({ description: 'From the start to the finish' }),
    notes: z.string().nullable(),
  })
  .meta({ id: 'RecallDrill' });

const drillReply = async ({ reads }: RequestContext, id: string): Promise<Reply> =>
  recordReply(await reads.get(drills, id));

/** The lowest share of all products that have a lot with the code. */
async function shareFound(context: RequestContext, services: RecallServices, code: string): Promise<Decimal> {
  const scope = await scopeOf(context, services, { lotCode: code, variantId: undefined });
  const { balances } = await scope.sums(context);
  const matched = balances.filter(({ kind }) => kind === 'MATCHED');
  return Decimal.from(Math.min(...matched.map(({ accountedPercent }) => accountedPercent)));
}

async function lotCodeOf({ reads }: RequestContext, id: string): Promise<string> {
  const { body } = found(await reads.get(drills, id));
  return (JSON.parse(body) as { readonly lotCode: string }).lotCode;
}

/** Exercises of a recall, kept as records that can be shown. */
export const drillRoutes = (services: RecallServices): readonly Route[] => [
  route({
    ...drilling,
    method: 'post',
    path: '/recall-drills',
    operationId: 'startRecallDrill',
    summary: 'Starts a recall drill: from now on its time counts',
    request: { body: z.strictObject({ lotCode }) },
    response: { status: 201, schema: drillAnswer, etag: true },
    rejections: [LOT_NOT_FOUND],
    async handle({ body }, context) {
      const [found] = await lotsWithCode(context, body.lotCode, undefined);
      const drillId = context.newId();
      await context.execute(recallDrills, { type: 'start', drillId, lotCode: found?.lotCode ?? body.lotCode });
      return drillReply(context, drillId);
    },
  }),
  route({
    ...drilling,
    method: 'get',
    path: '/recall-drills',
    operationId: 'listRecallDrills',
    summary: 'Lists the recall drills, the newest first',
    description: 'from and to speak of when they were started.',
    request: { query: listQuery.extend({ lotCode: lotCode.optional() }) },
    response: { status: 200, schema: listAnswer(drillAnswer) },
    async handle({ query: { cursor, limit, lotCode: code, ...period } }, context) {
      const { items, nextCursor } = await context.reads.find(drills, {
        equal: defined({ code: code === undefined ? undefined : comparableCode(code) }),
        ...rangeOf('startedAt', period, await timeZoneOf(services.stores, context.storeId)),
        sort: { column: 'startedAt', direction: 'desc' },
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      return { body: { items: items.map(({ body }) => JSON.parse(body) as object), nextCursor } };
    },
  }),
  route({
    ...drilling,
    method: 'get',
    path: '/recall-drills/{id}',
    operationId: 'getRecallDrill',
    summary: 'Gives one recall drill with its entity tag',
    request: { params },
    response: { status: 200, schema: drillAnswer, etag: true },
    handle: ({ params: { id } }, context) => drillReply(context, id),
  }),
  route({
    ...drilling,
    method: 'post',
    path: '/recall-drills/{id}/steps/{name}',
    operationId: 'doRecallDrillStep',
    summary: 'Ticks off a step of a recall drill',
    description: `Steps are ${DRILL_STEPS.join(', ')}, in any order. One that is done already stays as it is.`,
    request: { params: params.extend({ name: z.string().max(40) }) },
    response: { status: 200, schema: drillAnswer, etag: true },
    rejections: [DRILL_FINISHED],
    async handle({ params: { id, name: named } }, context) {
      const step = DRILL_STEPS.find((one) => one === named);
      if (!step) throw new Rejection(NOT_FOUND, 'a recall drill has no such step');
      await context.execute(recallDrills, { type: 'do', drillId: id, step });
      return drillReply(context, id);
    },
  }),
  route({
    ...drilling,
    method: 'post',
    path: '/recall-drills/{id}/finish',
    operationId: 'finishRecallDrill',
    summary: 'Finishes a recall drill, and says how much of the goods was found',
    description:
      'The share is the lowest `accountedPercent` of the matched lots’ mass balances at this moment; it stays as it is from now on.',
    request: { params, body: z.strictObject({ notes: freeText(NOTES_LENGTH).nullable().optional() }).optional() },
    response: { status: 200, schema: drillAnswer, etag: true },
    rejections: [DRILL_FINISHED, LOT_NOT_FOUND],
    async handle({ params: { id }, body }, context) {
      const shareFoundPercent = await shareFound(context, services, await lotCodeOf(context, id));
      const notes = textOrNull(body?.notes);
      await context.execute(recallDrills, { type: 'finish', drillId: id, shareFoundPercent, notes });
      return drillReply(context, id);
    },
  }),
];
