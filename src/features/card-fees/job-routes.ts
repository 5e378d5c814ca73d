import { z } from 'zod';
import { feeJobAfter, feeJobs } from '../../../projections/card-fees/fee-jobs.js';
import type { FeeJobDocument } from '../../../projections/card-fees/fee-jobs.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import { listAnswer, listQuery, rangeOf } from '../../kernel/routes/lists.js';
import type { PositionTokens } from '../../kernel/routes/position-tokens.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { documentOf, found } from '../../kernel/routes/stored-records.js';
import { pathId } from '../../kernel/values/fields.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { jobAnswer } from './answers.js';
import { ofMonth } from './bodies.js';
import { expectBegun } from './month-routes.js';
import { JOB_EXISTS, JOB_FINISHED, MONTH_NOT_BEGUN } from './rejections.js';
import type { CardFeeRouteServices } from './services.js';
import { decide, managing, viewing } from './services.js';

const params = z.strictObject({ jobId: pathId });

const shownJob = ({ seen: _, ...job }: FeeJobDocument, positions: PositionTokens) => ({
  ...job,
  asOf: positions.seal(job.asOf),
});

async function storedJob(context: RequestContext, jobId: string, positions: PositionTokens): Promise<Reply> {
  const record = found(await context.reads.get(feeJobs, jobId));
  return { body: shownJob(documentOf(feeJobs, record), positions) };
}

/** A job that the stream does not hold as open is over, or never was. */
async function cancelJob(context: RequestContext, jobId: string): Promise<number> {
  try {
    return (await decide(context, { type: 'cancelJob', jobId, ifMatch: context.ifMatch })).revision;
  } catch (error) {
    const unknown = error instanceof Rejection && error.kind === NOT_FOUND;
    if (unknown && (await context.reads.get(feeJobs, jobId))) throw new Rejection(JOB_FINISHED);
    throw error;
  }
}

export const jobRoutes = ({ stores, work, positions }: CardFeeRouteServices): readonly Route[] => [
  route({
    ...viewing,
    method: 'get',
    path: '/card-fees/calc-jobs',
    summary: 'Lists the recalculations, the newest first',
    description: 'from and to speak of when they were asked for.',
    request: { query: listQuery },
    response: { status: 200, schema: listAnswer(jobAnswer) },
    async handle({ query: { cursor, limit, ...period } }, context) {
      const { items, nextCursor } = await context.reads.find(feeJobs, {
        ...rangeOf('createdAt', period, await timeZoneOf(stores, context.storeId)),
        sort: { column: 'createdAt', direction: 'desc' },
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      return { body: { items: items.map((record) => shownJob(documentOf(feeJobs, record), positions)), nextCursor } };
    },
  }),
  route({
    ...managing,
    method: 'post',
    path: '/card-fees/calc-jobs',
    summary: "Recalculates a month's fees with the present rates of the active machine, in the background",
    description:
      'Machine and rates are those of this moment. A fee that changes shows what it was before; sales themselves are not rewritten. Figures are those of the preview as of the same position.',
    request: { body: ofMonth },
    response: { status: 201, schema: jobAnswer, etag: true },
    rejections: [JOB_EXISTS, MONTH_NOT_BEGUN],
    async handle({ body: { month } }, context) {
      await expectBegun(stores, context, month);
      const jobId = context.newId();
      const rows = [work.jobRow(context, jobId)];
      const { events, revision } = await decide(context, { type: 'queueJob', jobId, month }, { rows });
      work.wakeJobs();
      const job = events.reduce<FeeJobDocument | undefined>(feeJobAfter, undefined);
      if (!job) throw new Error('a job was queued without its fact');
      return { body: shownJob(job, positions), etag: revision };
    },
  }),
  route({
    ...managing,
    method: 'delete',
    path: '/card-fees/calc-jobs/{jobId}',
    summary: 'Cancels a recalculation at once; what it changed until then stays changed',
    request: { params },
    response: { status: 200, schema: jobAnswer, etag: true },
    rejections: [JOB_FINISHED],
    async handle({ params: { jobId } }, context) {
      const etag = await cancelJob(context, jobId);
      return { ...(await storedJob(context, jobId, positions)), etag };
    },
  }),
];
