import { z } from 'zod';
import { cnpj } from '../../brazil/cnpj.js';
import { defined } from '../../kernel/values/defined.js';
import { digits, name } from '../../kernel/values/fields.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { Reply, RequestContext, Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { timeZone } from '../contracts/time-zone.js';
import type { StoreChanges } from './decider.js';
import { STORES_STREAM, stores } from './decider.js';
import { PLANS, SEGMENTS } from './events.js';

const NAME_LENGTH = 120;

const record = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    legalName: z.string(),
    tradeName: z.string(),
    taxId: z.string().nullable(),
    segment: z.enum(SEGMENTS),
    activityCode: z.string().nullable(),
    timeZone: z.string(),
    plan: z.object({ name: z.enum(PLANS), apiAccess: z.boolean() }),
    modules: z.object({ production: z.boolean(), scaleCode: z.boolean(), orders: z.boolean() }),
    requireTwoFactor: z.boolean(),
  })
  .meta({ id: 'Store' });

const body = z
  .strictObject({
    legalName: name(NAME_LENGTH).optional(),
    tradeName: name(NAME_LENGTH).optional(),
    taxId: cnpj.nullable().optional(),
    segment: z.enum(SEGMENTS).optional(),
    activityCode: digits(7).nullable().optional(),
    timeZone: timeZone.optional(),
    modules: z
      .strictObject({
        production: z.boolean().optional(),
        scaleCode: z.boolean().optional(),
        orders: z.boolean().optional(),
      })
      .optional(),
    requireTwoFactor: z.boolean().optional(),
  })
  .meta({ id: 'StoreBody' });

async function reply(context: RequestContext): Promise<Reply> {
  const { byId } = await context.currentOn(stores, STORES_STREAM);
  const store = byId.get(context.storeId);
  if (!store) throw new Rejection(NOT_FOUND);
  const { revision, ...answer } = store;
  return { body: answer, etag: revision };
}

export const routes: readonly Route[] = [
  route({
    method: 'get',
    path: '/store',
    tag: 'Store',
    summary: 'Gives the store of the credential',
    permission: 'authenticated',
    request: {},
    response: { status: 200, schema: record, etag: true },
    handle: (_input, context) => reply(context),
  }),
  route({
    method: 'patch',
    path: '/store',
    ifMatch: true,
    tag: 'Store',
    summary: 'Changes the store; omitted fields stay, null clears',
    permission: 'store.manage',
    request: { body },
    response: { status: 200, schema: record, etag: true },
    async handle(input, context) {
      const { storeId: id, ifMatch } = context;
      const changes = defined(input.body) as StoreChanges;
      await context.executeOn(stores, STORES_STREAM, { type: 'change', id, changes, ifMatch }, { storeId: id });
      return reply(context);
    },
  }),
];
