import { z } from 'zod';
import { defined } from '../values/defined.js';
import type { RecordCollection } from '../../ports/read-models.js';
import type { StreamType } from '../events/decider.js';
import type { Recorded } from '../events/event.js';
import { cursorText, id, name, pathId, queryInteger } from '../values/fields.js';
import { bodiesOf, plainList } from '../routes/lists.js';
import type { ItemData, NamedSet, NamedSetCommand, NamedSetEvent } from './named-set.js';
import { NAME_TAKEN, idOfName } from './named-set.js';
import type { NamedDocument } from './named-set-projector.js';
import { createdDocument } from './named-set-projector.js';
import type { Permission } from '../values/permissions.js';
import { NOT_FOUND, Rejection } from '../events/rejection.js';
import type { RequestContext } from '../routes/request-context.js';
import type { Reply, Route } from '../routes/route.js';
import { route } from '../routes/route.js';
import { recordReply } from '../routes/stored-records.js';

const LIST_MAXIMUM = 10_000;
const NAME_LENGTH = 200;

interface NamedSetEndpoints<Noun extends string, Plural extends string, F extends object> {
  readonly path: string;
  readonly tag: string;
  /** In sentences: "category", "categories". */
  readonly words: readonly [singular: string, plural: string];
  readonly permission: Permission;
  readonly type: StreamType<NamedSet<F>, NamedSetCommand<F>, NamedSetEvent<Noun, Plural, F>>;
  readonly collection: RecordCollection<NamedDocument<F>>;
  /** Fields of the request body beside the name. */
  readonly fields: z.ZodRawShape;
  /** Fields of the answer beside those that every named record has. */
  readonly answer: z.ZodRawShape;
  /** Values of the fields that a new record leaves out. */
  readonly defaults: F;
  readonly bulkDelete?: {
    readonly maximum: number;
    /** Member of the answer that counts the products left without it. */
    readonly counted: string;
    /** How many name any of them: they still do when it is gone. */
    readonly productsOf: (context: RequestContext, ids: readonly string[]) => Promise<number>;
  };
}

const params = z.strictObject({ id: pathId });

/** List, read, create, change and delete, the same for every named set. */
export function namedSetRoutes<Noun extends string, Plural extends string, F extends object>(
  endpoints: NamedSetEndpoints<Noun, Plural, F>,
): readonly Route[] {
  const { path, tag, permission, type, collection, words } = endpoints;
  const [singular, plural] = words;
  const body = z.strictObject({ name: name(NAME_LENGTH), ...endpoints.fields }).meta({ id: `${singular}Body` });
  const answer = z
    .object({
      id: z.uuid(),
      name: z.string(),
      ...endpoints.answer,
      productCount: z.int(),
      createdAt: z.iso.datetime(),
      updatedAt: z.iso.datetime(),
    })
    .meta({ id: singular });
  const splitBody = (parsed: { name: string }) => {
    const { name: given, ...rest } = parsed;
    const fields = defined(rest);
    return { name: given, fields: fields as Partial<F> };
  };

  const list = route({
    method: 'get',
    path,
    tag,
    summary: `Lists the ${plural} by name`,
    description: `All of them, at most ${LIST_MAXIMUM}; where more follow, the header X-Next-Cursor says where to go on.`,
    permission: 'products.view',
    request: {
      query: z.strictObject({
        limit: queryInteger(1, LIST_MAXIMUM).default(LIST_MAXIMUM),
        cursor: cursorText.optional(),
      }),
    },
    response: { status: 200, schema: z.array(answer), continued: true },
    async handle({ query }, context) {
      const sort = { column: 'name', direction: 'asc' } as const;
      const { bodies, nextCursor } = await bodiesOf(context, collection, { ...query, sort });
      return plainList(bodies, nextCursor);
    },
  });
  const read = route({
    method: 'get',
    path: `${path}/{id}`,
    tag,
    summary: `Gives one ${singular} with its entity tag`,
    permission: 'products.view',
    request: { params },
    response: { status: 200, schema: answer, etag: true },
    handle: async (input, context) => recordReply(await context.reads.get(collection, input.params.id)),
  });
  const create = route({
    method: 'post',
    path,
    tag,
    summary: `Creates a ${singular}`,
    permission,
    request: { body },
    response: { status: 201, schema: answer, etag: true },
    rejections: [NAME_TAKEN],
    async handle(input, context) {
      const given = splitBody(input.body);
      const item = { id: context.newId(), name: given.name, fields: { ...endpoints.defaults, ...given.fields } };
      const { events } = await context.execute(type, { type: 'create', items: [item] });
      const [event] = events;
      if (event) return createdReply(createdDocument(event as Recorded<{ type: string; data: ItemData<F> }>));
      return existingReply(endpoints, item.name, context);
    },
  });
  const change = route({
    method: 'patch',
    path: `${path}/{id}`,
    tag,
    summary: `Changes a ${singular}; omitted fields stay, null clears`,
    permission,
    request: { params, body },
    response: { status: 200, schema: answer, etag: true },
    rejections: [NAME_TAKEN],
    async handle(input, context) {
      const { id: itemId } = input.params;
      await context.execute(type, { type: 'change', id: itemId, ifMatch: context.ifMatch, ...splitBody(input.body) });
      return recordReply(await context.reads.get(collection, itemId));
    },
  });
  const remove = route({
    method: 'delete',
    path: `${path}/{id}`,
    tag,
    summary: `Deletes a ${singular}; its products stay`,
    permission,
    request: { params },
    response: { status: 204 },
    async handle(input, context) {
      await context.execute(type, { type: 'delete', id: input.params.id, ifMatch: context.ifMatch });
      return {};
    },
  });
  return [list, read, create, change, remove, ...bulkDelete(endpoints)];
}

function bulkDelete<Noun extends string, Plural extends string, F extends object>(
  endpoints: NamedSetEndpoints<Noun, Plural, F>,
): readonly Route[] {
  const { bulkDelete: bulk, path, tag, permission, type, words } = endpoints;
  if (!bulk) return [];
  return [
    route({
      method: 'post',
      path: `${path}/bulk-delete`,
      tag,
      summary: `Deletes several ${words[1]} at once; unknown ids are ignored`,
      permission,
      request: { body: z.strictObject({ ids: z.array(id).max(bulk.maximum) }) },
      response: { status: 200, schema: z.object({ deleted: z.int(), [bulk.counted]: z.int() }) },
      async handle(input, context) {
        const { events } = await context.execute(type, { type: 'deleteMany', ids: input.body.ids });
        const deleted = events.flatMap(({ data }) => ('ids' in data ? data.ids : []));
        const products = deleted.length === 0 ? 0 : await bulk.productsOf(context, deleted);
        return { body: { deleted: deleted.length, [bulk.counted]: products } };
      },
    }),
  ];
}

function createdReply({ revision, ...document }: NamedDocument): Reply {
  return { body: document, etag: revision };
}

/** A creation that selected the record which has the name already. */
async function existingReply<Noun extends string, Plural extends string, F extends object>(
  { type, collection }: NamedSetEndpoints<Noun, Plural, F>,
  wanted: string,
  context: RequestContext,
): Promise<Reply> {
  const found = idOfName(await context.current(type), wanted);
  const record = found === undefined ? undefined : await context.reads.get(collection, found);
  if (!record) throw new Rejection(NOT_FOUND);
  const { etag } = recordReply(record);
  return { body: { ...(JSON.parse(record.body) as object), existing: true }, ...(etag === undefined ? {} : { etag }) };
}
