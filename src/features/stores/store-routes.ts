import { z } from 'zod';
import { cnpj } from '../../brazil/cnpj.js';
import { defined } from '../../kernel/values/defined.js';
import { digits, name } from '../../kernel/values/fields.js';
import { matches } from '../../kernel/events/if-match.js';
import { NOT_FOUND, Rejection, STALE } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import type { FiscalSettingsKeeper } from '../contracts/fiscal-settings.js';
import { fiscalSettingsAnswer, fiscalSettingsBody, withFiscalChange } from '../contracts/fiscal-settings.js';
import { timeZone } from '../contracts/time-zone.js';
import type { Store, StoreChanges, Stores } from './decider.js';
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
    fiscal: fiscalSettingsAnswer,
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
    fiscal: fiscalSettingsBody.optional().meta({ description: 'Members that are left out stay' }),
  })
  .meta({ id: 'StoreBody' });

async function currentStore(context: RequestContext): Promise<Store> {
  const { byId } = await context.currentOn(stores, STORES_STREAM);
  const store = byId.get(context.storeId);
  if (!store) throw new Rejection(NOT_FOUND);
  return store;
}

export function storeRoutes(fiscalSettings: FiscalSettingsKeeper): readonly Route[] {
  async function reply(context: RequestContext): Promise<Reply> {
    const { revision, fiscal, ...store } = await currentStore(context);
    return { body: { ...store, fiscal: await fiscalSettings.answer(context, fiscal) }, etag: revision };
  }

  return [
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
      rejections: fiscalSettings.rejections,
      async handle({ body: { fiscal, ...given } }, context) {
        const { storeId: id, ifMatch } = context;
        if (await context.earlierEvents(stores, undefined, STORES_STREAM)) return reply(context);
        const store = await currentStore(context);
        if (!matches(ifMatch, store.revision)) throw new Rejection(STALE);
        const changes = defined(given) as StoreChanges;
        const taxId = changes.taxId === undefined ? store.taxId : changes.taxId;
        const change = fiscal && (await fiscalSettings.changed(context, store.fiscal, fiscal, taxId));
        const command = { type: 'change', id, changes, fiscal: change?.settings, ifMatch } as const;
        const rows = change && change.rows.length > 0 ? { rows: change.rows } : {};
        // A document that is issued meanwhile takes no number of a series whose next one is not known yet.
        if (change) await fiscalSettings.advance(context, withFiscalChange(store.fiscal, change.settings), fiscal);
        // Others may have changed the secrets since they were looked at.
        const ends = (before: Stores, after: Stores) => {
          const [former, present] = [before.byId.get(id), after.byId.get(id)];
          return former && present ? fiscalSettings.ended(id, former.fiscal, present.fiscal) : [];
        };
        await context.executeOn(stores, STORES_STREAM, command, { storeId: id, ...rows, ends });
        return reply(context);
      },
    }),
  ];
}
