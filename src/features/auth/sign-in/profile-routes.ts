import { z } from 'zod';
import { defined } from '../../../kernel/values/defined.js';
import { name } from '../../../kernel/values/fields.js';
import { Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { access } from '../access/decider.js';
import { CREDENTIAL_INVALID } from '../access/rejections.js';
import { emailAddress, newPassword, userName } from '../accounts/fields.js';
import { USERNAME_TAKEN } from '../accounts/rejections.js';
import { onAccount } from './facts.js';
import type { Me } from './me.js';
import { describeUser, me } from './me.js';
import { changeOwnAccount, ownAccount } from './own-account.js';
import { PASSWORD_WRONG, TOO_MANY_ATTEMPTS } from './rejections.js';
import { knownPassword, tag } from './schemas.js';
import type { AuthServices } from './services.js';

const NAME_LENGTH = 120;

const ownChange = z
  .strictObject({
    name: name(NAME_LENGTH).optional(),
    username: userName.optional(),
    email: emailAddress.optional(),
    password: newPassword.optional(),
    currentPassword: knownPassword.optional(),
  })
  .superRefine(({ username, email, password, currentPassword }, context) => {
    const sensitive = username ?? email ?? password;
    if (sensitive === undefined || currentPassword !== undefined) return;
    const message = 'is needed to change user name, e-mail or password';
    context.addIssue({ code: 'custom', path: ['currentPassword'], message });
  })
  .meta({ id: 'OwnAccountChange' });

/** Who is asking, and what they keep with their account. */
export const profileRoutes = (services: AuthServices): readonly Route[] => [
  ...identity(services),
  ...preferences(services),
];

/** Who asks, and the revision that guards their own changes; of a key that of the key. */
async function describeCaller(
  services: AuthServices,
  context: RequestContext,
): Promise<{ readonly body: Me; readonly etag: number }> {
  const store = await services.stores.byId(context.storeId);
  if (!store) throw new Rejection(CREDENTIAL_INVALID);
  if (context.session) {
    const account = await ownAccount(services, context);
    return { body: await describeUser(services.lanes, account, store), etag: account.ownRevision };
  }
  const { id, name: keyName } = context.actor;
  const key = (await context.current(access)).keys.get(id);
  if (!key) throw new Rejection(CREDENTIAL_INVALID);
  const body: Me = {
    id,
    username: keyName,
    name: keyName,
    email: null,
    kind: 'apiKey',
    storeSlug: store.slug,
    role: null,
    permissions: [...context.permissions],
    twoFactorEnabled: false,
    printTarget: null,
    uiPreferences: null,
  };
  return { body, etag: key.revision };
}

const identity = (services: AuthServices): readonly Route[] => [
  route({
    method: 'get',
    path: '/auth/me',
    tag,
    summary: 'Who is asking, and what they may do',
    permission: 'authenticated',
    request: {},
    response: { status: 200, schema: me, etag: true },
    handle: (_input, context) => describeCaller(services, context),
  }),
  route({
    method: 'patch',
    path: '/auth/me',
    tag,
    summary: "Changes the user's own account; a new password ends all other sessions",
    description: 'Everything but the name needs the current password.',
    permission: 'session',
    request: { body: ownChange },
    response: { status: 200, schema: me, etag: true, cookies: true },
    ifMatch: true,
    rejections: [USERNAME_TAKEN, PASSWORD_WRONG, TOO_MANY_ATTEMPTS],
    async handle({ body }, context) {
      const { password, currentPassword, ...names } = body;
      const profile = defined(names);
      const signedIn = await changeOwnAccount(services, { profile, password, currentPassword }, context);
      const answer = await describeCaller(services, context);
      return { ...answer, ...(signedIn ? { session: signedIn.tokens } : {}) };
    },
  }),
  route({
    method: 'post',
    path: '/auth/presence',
    operationId: 'reportPresence',
    tag,
    summary: 'Says that the user is there',
    permission: 'session',
    request: {},
    response: { status: 200, schema: z.object({ lastSeenAt: z.iso.datetime() }) },
    async handle(_input, { session, storeId }) {
      return { body: { lastSeenAt: await services.presence.beat(storeId, session?.userId ?? '') } };
    },
  }),
];

const preferences = (services: AuthServices): readonly Route[] => [
  route({
    method: 'patch',
    path: '/auth/me/print-target',
    operationId: 'updatePrintTarget',
    tag,
    summary: 'Where this user prints',
    permission: 'session',
    request: {
      body: z.strictObject({
        target: z.enum(['local', 'agent']),
        agentId: name(NAME_LENGTH).nullable().optional(),
        a4Sheet: z.boolean().optional(),
      }),
    },
    response: { status: 200, schema: me, etag: true },
    ifMatch: true,
    async handle({ body }, context) {
      const account = await ownAccount(services, context);
      const { ifMatch } = context;
      const command = { type: 'changePrintTarget', changes: defined(body), ifMatch } as const;
      await onAccount(context, account, context.storeId, command);
      return describeCaller(services, context);
    },
  }),
  route({
    method: 'patch',
    path: '/auth/me/ui-preferences',
    operationId: 'updateUiPreferences',
    tag,
    summary: "The user's navigation favourites and theme",
    permission: 'session',
    request: {
      body: z.strictObject({
        navigationFavorites: z.array(name(200)).max(50),
        theme: z.enum(['light', 'dark', 'system']).optional(),
      }),
    },
    response: { status: 200, schema: me, etag: true },
    ifMatch: true,
    async handle({ body }, context) {
      const account = await ownAccount(services, context);
      const { ifMatch } = context;
      const command = { type: 'changeUiPreferences', changes: defined(body), ifMatch } as const;
      await onAccount(context, account, context.storeId, command);
      return describeCaller(services, context);
    },
  }),
];
