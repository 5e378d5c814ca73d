import { z } from 'zod';
import { defined } from '../../../kernel/values/defined.js';
import type { StoreDirectory } from '../../contracts/feature.js';
import { name, pathId } from '../../../kernel/values/fields.js';
import type { Recorded } from '../../../kernel/events/event.js';
import { listAnswer, listQuery, pageByIdWithin } from '../../../kernel/routes/lists.js';
import { NAME_TAKEN } from '../../../kernel/patterns/named-set.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import { locationsOf } from './choice.js';
import { LOCATION_NAME_LENGTH, dataOf, locations, recordOf } from './decider.js';
import type { LocationEvent } from './events.js';
import { LOCATION_IN_USE, LOCATION_IS_DEFAULT } from './rejections.js';
import type { LocationRetirements, Retire } from './retirement.js';
import { retireOrRestore } from './retirement.js';

const record = z
  .object({
    id: z.uuid(),
    name: z.string(),
    isDefault: z.boolean(),
    isProductionDefault: z.boolean(),
    active: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Location' });

const flags = {
  isDefault: z.boolean().optional().meta({ description: 'true takes it from the location that has it' }),
  isProductionDefault: z.boolean().optional().meta({ description: 'true takes it from the location that has it' }),
  active: z.boolean().optional(),
};
const newLocation = z.strictObject({ name: name(LOCATION_NAME_LENGTH), ...flags }).meta({ id: 'LocationBody' });
const locationChanges = z
  .strictObject({ name: name(LOCATION_NAME_LENGTH).optional(), ...flags })
  .meta({ id: 'LocationChanges' });
const params = z.strictObject({ id: pathId });

interface LocationRouteServices {
  readonly stores: StoreDirectory;
  /** Whether a location ever held goods, or an open order brings or takes them there. */
  readonly isUsed: (context: RequestContext, locationId: string) => Promise<boolean>;
  readonly retire: Retire;
  readonly retirements: Pick<LocationRetirements, 'row'>;
}

async function currentReply(context: RequestContext, id: string): Promise<Reply> {
  const known = await locationsOf(context);
  const location = known.byId.get(id);
  if (!location) throw new Rejection(NOT_FOUND);
  return { body: recordOf(known, location), etag: location.revision };
}

/** From the fact itself; from the state when nothing had to change. */
function changedReply(context: RequestContext, id: string, events: readonly Recorded<LocationEvent>[]) {
  const last = events.at(-1);
  if (!last || last.type === 'LocationDeleted') return currentReply(context, id);
  return { body: { ...last.data, updatedAt: last.meta.at }, etag: last.revision };
}

const reading = { tag: 'Locations', permission: 'stock.view' } as const;
const changing = { tag: 'Locations', permission: 'stock.manage' } as const;

/** Deleted first, so that nobody chooses it any more. */
async function deleteLocation(
  { isUsed, retire, retirements }: Omit<LocationRouteServices, 'stores'>,
  context: RequestContext,
  id: string,
): Promise<void> {
  const { storeId, ifMatch } = context;
  if (!context.isRepeat && (await isUsed(context, id))) throw new Rejection(LOCATION_IN_USE);
  const before = await locationsOf(context);
  const known = before.byId.get(id);
  const location = known && dataOf(before, known);
  const rows = location && [retirements.row(context, location)];
  await context.execute(locations, { type: 'delete', storeId, id, ifMatch }, { name: 'delete', rows });
  await (location ? retireOrRestore(context, location, retire) : retire(context, id));
}

export const locationRoutes = ({ stores, ...using }: LocationRouteServices): readonly Route[] => [
  route({
    ...reading,
    method: 'get',
    path: '/locations',
    summary: 'Lists the places where the store keeps goods',
    description: 'Every store has one from its beginning; exactly one is the default and one that of the production.',
    request: { query: listQuery },
    response: { status: 200, schema: listAnswer(record) },
    async handle({ query }, context) {
      const known = await locationsOf(context);
      const timeZone = await timeZoneOf(stores, context.storeId);
      const { items, nextCursor } = pageByIdWithin(
        'locations',
        known.byId.values(),
        (location) => location,
        query,
        timeZone,
      );
      return { body: { items: items.map((location) => recordOf(known, location)), nextCursor } };
    },
  }),
  route({
    ...reading,
    method: 'get',
    path: '/locations/{id}',
    summary: 'Gives one location with its entity tag',
    request: { params },
    response: { status: 200, schema: record, etag: true },
    handle: (input, context) => currentReply(context, input.params.id),
  }),
  route({
    ...changing,
    method: 'post',
    path: '/locations',
    summary: 'Creates a location',
    request: { body: newLocation },
    response: { status: 201, schema: record, etag: true },
    rejections: [NAME_TAKEN, LOCATION_IS_DEFAULT],
    async handle({ body }, context) {
      const { storeId } = context;
      const id = context.newId();
      const fields = { isDefault: false, isProductionDefault: false, active: true, ...defined(body) };
      const command = { type: 'create', storeId, id, fields: { ...fields, name: body.name } } as const;
      return changedReply(context, id, (await context.execute(locations, command)).events);
    },
  }),
  route({
    ...changing,
    method: 'patch',
    path: '/locations/{id}',
    summary: 'Changes a location; omitted fields stay',
    description: 'A default location is neither deactivated nor told to be none: another one takes its place first.',
    request: { params, body: locationChanges },
    response: { status: 200, schema: record, etag: true },
    rejections: [NAME_TAKEN, LOCATION_IS_DEFAULT],
    async handle(input, context) {
      const { storeId, ifMatch } = context;
      const { id } = input.params;
      const command = { type: 'change', storeId, id, changes: defined(input.body), ifMatch } as const;
      return changedReply(context, id, (await context.execute(locations, command)).events);
    },
  }),
  route({
    ...changing,
    method: 'delete',
    path: '/locations/{id}',
    summary: 'Deletes a location that never held stock',
    request: { params },
    response: { status: 204 },
    rejections: [LOCATION_IS_DEFAULT, LOCATION_IN_USE],
    async handle(input, context) {
      await deleteLocation(using, context, input.params.id);
      return {};
    },
  }),
];
