import { z } from 'zod';
import { NOT_FOUND } from '../../kernel/events/rejection.js';
import { listAnswer, listQuery } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { LAST_MOMENT, momentRange, queryMoment } from '../../kernel/values/days.js';
import { toIso } from '../../kernel/values/clock.js';
import type { EventTeller } from '../../ports/event-teller.js';
import type { PastMoment } from '../contracts/audited-record.js';
import type { StoreDirectory } from '../contracts/feature.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { actor } from '../contracts/actor.js';
import { eventAnswer, historyItem, pageAnswer } from './events/event-answers.js';
import type { EventSearch } from './events/event-search.js';
import { searchEvents } from './events/event-search.js';
import { Frequencies } from './events/frequencies.js';
import { KnownPages } from './events/known-pages.js';
import type { PastServices } from './records/past-records.js';
import { NOT_YET, PastRecords } from './records/past-records.js';

interface AuditServices extends PastServices {
  readonly stores: StoreDirectory;
  readonly teller: EventTeller;
}

const MOST_CHANGES = 5_000;

const viewing = { tag: 'Audit', permission: 'audit.view' } as const;
const word = z.string().min(1).max(255);
const kind = z.string().regex(/^[a-zA-Z]{1,40}$/, { error: 'must be a kind of record' });
const entityParams = z.strictObject({ kind, id: z.string().max(100) });
const order = z.enum(['asc', 'desc']).default('asc');

const changeAnswer = z
  .strictObject({
    path: z.string(),
    from: z.unknown(),
    to: z.unknown(),
    eventId: z.uuid(),
    by: actor,
    at: z.iso.datetime(),
  })
  .meta({ id: 'RecordChange' });

export const auditRoutes = (services: AuditServices): readonly Route[] => {
  const { teller, stores } = services;
  const past = new PastRecords(services);
  const kinds = services.records.map(({ kind: name }) => name).sort();
  const sources = { teller: new KnownPages(teller), frequencies: new Frequencies(), kinds };
  const zone = (context: RequestContext) => timeZoneOf(stores, context.storeId);
  const search = async (context: RequestContext, wanted: EventSearch, whole: boolean) =>
    searchEvents(sources, context, wanted, { timeZone: await zone(context), whole });
  /** The end of what a text names: a moment, or a day of the store. */
  const momentOf = async (context: RequestContext, text: string): Promise<PastMoment> => {
    const timeZone = await zone(context);
    return { at: toIso(momentRange({ to: text }, timeZone).before - 1), timeZone };
  };

  return [
    route({
      ...viewing,
      method: 'get',
      path: '/audit/events',
      summary: 'Lists what happened in the store, in the order of time',
      description:
        'With `order=desc` the newest comes first. Where several filters together let few events through, a page may hold few, or none, and goes on by its `nextCursor`.',
      request: {
        query: listQuery.extend({
          entityKind: z.enum(kinds).optional(),
          entityId: word.optional(),
          type: word.optional(),
          actorId: word.optional(),
          requestId: word.optional(),
          order,
        }),
      },
      response: { status: 200, schema: listAnswer(eventAnswer) },
      async handle({ query }, context) {
        const { page, nextCursor } = await search(context, query, true);
        return { body: await pageAnswer({ ...services, past }, context, page, nextCursor) };
      },
    }),
    route({
      ...viewing,
      method: 'get',
      path: '/audit/entities/{kind}/{id}',
      summary: 'Tells the whole history of a record in plain words',
      request: { params: entityParams, query: listQuery.extend({ order }) },
      response: { status: 200, schema: listAnswer(historyItem) },
      rejections: [NOT_FOUND],
      async handle({ params, query }, context) {
        const wanted = { ...query, entityKind: params.kind, entityId: params.id };
        const { page, nextCursor } = await search(context, wanted, false);
        const isFirstPage = query.cursor === undefined && query.from === undefined && query.to === undefined;
        if (page.count === 0 && isFirstPage) {
          await past.untouched(context, { kind: params.kind, id: params.id }, toIso(LAST_MOMENT));
        }
        return { body: await pageAnswer({ ...services, past }, context, page, nextCursor) };
      },
    }),
    route({
      ...viewing,
      method: 'get',
      path: '/audit/entities/{kind}/{id}/state',
      summary: 'Gives a record as it was at a moment',
      description: 'A date without time means the end of that day in the store.',
      request: { params: entityParams, query: z.strictObject({ at: queryMoment }) },
      response: {
        status: 200,
        schema: z
          .strictObject({
            kind: z.string(),
            id: z.string(),
            at: z.iso.datetime(),
            state: z.record(z.string(), z.unknown()),
          })
          .meta({ id: 'PastRecord' }),
      },
      rejections: [NOT_FOUND, NOT_YET],
      async handle({ params, query }, context) {
        const moment = await momentOf(context, query.at);
        return { body: { ...params, at: moment.at, state: await past.stateAt(context, params, moment) } };
      },
    }),
    route({
      ...viewing,
      method: 'get',
      path: '/audit/entities/{kind}/{id}/changes',
      operationId: 'getRecordChanges',
      summary: 'Gives what each event between two moments changed of a record',
      request: {
        params: entityParams,
        query: z.strictObject({ from: queryMoment.optional(), to: queryMoment.optional() }),
      },
      response: { status: 200, schema: z.array(changeAnswer) },
      rejections: [NOT_FOUND, NOT_YET],
      async handle({ params, query }, context) {
        const range = momentRange(query, await zone(context));
        const from = query.from === undefined ? '' : toIso(range.from - 1);
        const to = toIso(query.to === undefined ? LAST_MOMENT : range.before - 1);
        return { body: await past.changes(context, params, { from, to }, MOST_CHANGES) };
      },
    }),
  ];
};
