import { z } from 'zod';
import type { Clock } from '../../../kernel/values/clock.js';
import { toIso } from '../../../kernel/values/clock.js';
import type { StoreDirectory } from '../../contracts/feature.js';
import { endOf, bodyMoment } from '../../../kernel/values/days.js';
import { mayBeAbsent, name, pathId } from '../../../kernel/values/fields.js';
import { listAnswer, listQuery, pageByIdWithin } from '../../../kernel/routes/lists.js';
import { DEFAULT_KEY_PERMISSIONS, PERMISSIONS } from '../../permissions.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { actor } from '../../contracts/actor.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { Vault } from '../../../ports/vault.js';
import { createKey, keyDeletion } from './api-keys.js';
import type { StoredKey } from './decider.js';
import { access } from './decider.js';
import type { KeyUses } from './key-uses.js';
import { inOrder } from './member-record.js';
import { permissionList } from './member-routes.js';
import { EXPIRY_PASSED, OWNERS_MAKE_OWNERS, PERMISSION_NOT_YOURS } from './rejections.js';

const NAME_LENGTH = 120;

const record = z
  .object({
    id: z.uuid(),
    name: z.string(),
    permissions: z.array(z.enum(PERMISSIONS)),
    createdAt: z.iso.datetime(),
    createdBy: actor,
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: 'To the minute' }),
  })
  .meta({ id: 'ApiKey' });

const created = record
  .extend({ key: z.string().meta({ description: 'Shown this once: only a hash of it is kept' }) })
  .meta({ id: 'CreatedApiKey' });

/** What somebody set of a key, without when it was used. */
export const keyFacts = (key: StoredKey) => ({
  id: key.keyId,
  name: key.name,
  permissions: inOrder(key.permissions),
  createdAt: key.createdAt,
  createdBy: key.createdBy,
  expiresAt: key.expiresAt,
});

const recordOf = (key: StoredKey, lastUsedAt: string | null): z.output<typeof record> => ({
  ...keyFacts(key),
  lastUsedAt,
});

const newKey = z
  .strictObject({
    name: name(NAME_LENGTH),
    permissions: mayBeAbsent(permissionList),
    expiresAt: bodyMoment.nullable().optional().meta({ description: 'A date: it ends with that day in the store' }),
  })
  .meta({ id: 'ApiKeyBody' });

/** A date without time means the end of that day in the store's time zone. */
async function expiryOf(
  expiresAt: string | null | undefined,
  { clock, stores }: Pick<KeyRouteServices, 'clock' | 'stores'>,
  storeId: string,
) {
  if (expiresAt === null || expiresAt === undefined) return null;
  const ends = endOf(expiresAt, await timeZoneOf(stores, storeId));
  if (ends > clock.now()) return toIso(ends);
  throw new Rejection(EXPIRY_PASSED, undefined, { errors: [{ path: 'expiresAt', message: 'must be in the future' }] });
}

const keys = { tag: 'API keys', permission: 'apiKeys.manage' } as const;

interface KeyRouteServices {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly stores: StoreDirectory;
  readonly uses: KeyUses;
}

export const keyRoutes = ({ vault, clock, stores, uses }: KeyRouteServices): readonly Route[] => [
  route({
    ...keys,
    method: 'get',
    path: '/api-keys',
    summary: 'Lists the API keys of the store in the order in which they were made',
    request: { query: listQuery },
    response: { status: 200, schema: listAnswer(record) },
    async handle({ query }, context) {
      const { keys: known } = await context.current(access);
      const timeZone = await timeZoneOf(stores, context.storeId);
      const listed = ({ keyId, createdAt }: StoredKey) => ({ id: keyId, createdAt });
      const { items, nextCursor } = pageByIdWithin('api-keys', known.values(), listed, query, timeZone);
      const lastUsed = await uses.inStore(context.storeId);
      return { body: { items: items.map((key) => recordOf(key, lastUsed(key.keyId))), nextCursor } };
    },
  }),
  route({
    ...keys,
    method: 'post',
    path: '/api-keys',
    dryRun: 'not possible',
    summary: 'Makes an API key for sales, stock, catalogue, customers and production, or for what is named',
    description: `Without a list of permissions the key gets those of the usual scope that its creator has as well, and the answer lists them: ${DEFAULT_KEY_PERMISSIONS.join(', ')}.`,
    request: { body: newKey },
    response: { status: 201, schema: created, etag: true },
    rejections: [PERMISSION_NOT_YOURS, OWNERS_MAKE_OWNERS, EXPIRY_PASSED],
    async handle({ body }, context) {
      const expiresAt = await expiryOf(body.expiresAt, { clock, stores }, context.storeId);
      const permissions = body.permissions ?? DEFAULT_KEY_PERMISSIONS.filter((permission) => context.may(permission));
      const { keyId, key } = await createKey(context, vault, {
        name: body.name,
        permissions,
        expiresAt,
        by: context.actor,
      });
      const stored = (await context.current(access)).keys.get(keyId);
      if (!stored) throw new Rejection(NOT_FOUND);
      return { body: { ...recordOf(stored, null), key }, etag: stored.revision };
    },
  }),
  route({
    ...keys,
    method: 'delete',
    path: '/api-keys/{id}',
    operationId: 'revokeApiKey',
    summary: 'Revokes an API key at once',
    request: { params: z.strictObject({ id: pathId }) },
    response: { status: 204 },
    async handle({ params }, context) {
      const keyId = params.id;
      const rows = [keyDeletion(keyId)];
      await context.execute(access, { type: 'revokeKey', keyId, ifMatch: context.ifMatch }, { rows });
      await uses.forget(context.storeId, keyId);
      return {};
    },
  }),
];
