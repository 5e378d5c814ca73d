import { z } from 'zod';
import { name } from '../../../kernel/fields.js';
import { Rejection } from '../../../kernel/rejection.js';
import type { RequestContext, Route } from '../../../kernel/route.js';
import { route } from '../../../kernel/route.js';
import { CREDENTIAL_INVALID } from '../access/rejections.js';
import type { Account } from '../accounts/decider.js';
import { findAccount } from '../accounts/directory.js';
import { onAccount } from './facts.js';
import { describeUser, me } from './me.js';
import {
  CODE_INVALID,
  ENROLLMENT_REQUIRED,
  PASSWORD_UNFIT,
  TOKEN_INVALID,
  TOO_MANY_ATTEMPTS,
  TWO_FACTOR_OFF,
  TWO_FACTOR_ON,
} from './rejections.js';
import type { AuthServices } from './services.js';
import { signedInReply } from './session-routes.js';

/** The signed-in user's own account: preferences, second factor, password reset. */

const secretText = (maximum: number) => z.string().min(1).max(maximum);
const token = secretText(200);
const tag = 'Authentication';
const ok = z.object({ status: z.literal('ok') });

export function accountRoutes(services: AuthServices): readonly Route[] {
  return [...profileRoutes(services), ...secondFactorRoutes(services), ...resetRoutes(services)];
}

async function own({ lanes }: AuthServices, context: RequestContext): Promise<Account> {
  const account = context.session && (await findAccount(lanes, context.session.userId));
  if (!account) throw new Rejection(CREDENTIAL_INVALID);
  return account;
}

async function describeCaller(services: AuthServices, context: RequestContext) {
  const store = await services.stores.byId(context.storeId);
  if (!store) throw new Rejection(CREDENTIAL_INVALID);
  if (context.session) return describeUser(services.lanes, await own(services, context), store);
  const { id, name: keyName } = context.actor;
  return {
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
}

function profileRoutes(services: AuthServices): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/auth/me',
      tag,
      summary: 'Who is asking, and what they may do',
      permission: 'authenticated',
      request: {},
      response: { status: 200, schema: me },
      handle: async (_input, context) => ({ body: await describeCaller(services, context) }),
    }),
    route({
      method: 'post',
      path: '/auth/presence',
      tag,
      summary: 'Says that the user is there',
      permission: 'session',
      request: {},
      response: { status: 200, schema: z.object({ lastSeenAt: z.iso.datetime() }) },
      async handle(_input, { session, storeId }) {
        return { body: { lastSeenAt: await services.presence.beat(storeId, session?.userId ?? '') } };
      },
    }),
    route({
      method: 'patch',
      path: '/auth/me/print-target',
      tag,
      summary: 'Where this user prints',
      permission: 'session',
      request: {
        body: z.strictObject({
          target: z.enum(['local', 'agent']),
          agentId: name(120).nullable().optional(),
          a4Sheet: z.boolean().optional(),
        }),
      },
      response: { status: 200, schema: me },
      async handle({ body }, context) {
        const account = await own(services, context);
        const { agentId = account.printTarget.agentId, a4Sheet = account.printTarget.a4Sheet } = body;
        const printTarget = { target: body.target, agentId, a4Sheet };
        await onAccount(context, account, context.storeId, { type: 'setPrintTarget', printTarget });
        return { body: await describeCaller(services, context) };
      },
    }),
    route({
      method: 'patch',
      path: '/auth/me/ui-preferences',
      tag,
      summary: "The user's navigation favourites and theme",
      permission: 'session',
      request: {
        body: z.strictObject({
          navigationFavorites: z.array(name(200)).max(50),
          theme: z.enum(['light', 'dark', 'system']).optional(),
        }),
      },
      response: { status: 200, schema: me },
      async handle({ body }, context) {
        const account = await own(services, context);
        const { navigationFavorites, theme = account.uiPreferences.theme } = body;
        const uiPreferences = { navigationFavorites, theme };
        await onAccount(context, account, context.storeId, { type: 'setUiPreferences', uiPreferences });
        return { body: await describeCaller(services, context) };
      },
    }),
  ];
}

function secondFactorRoutes(services: AuthServices): readonly Route[] {
  const { secondFactor } = services;
  return [
    route({
      method: 'post',
      path: '/auth/2fa/enrollment',
      tag,
      summary: 'Begins to set up a second factor',
      permission: 'session',
      request: {},
      response: { status: 201, schema: z.object({ enrollmentToken: z.string() }) },
      rejections: [TWO_FACTOR_ON],
      async handle(_input, context) {
        const account = await own(services, context);
        return { body: { enrollmentToken: await secondFactor.beginEnrollment(account, context.storeId) } };
      },
    }),
    route({
      method: 'post',
      path: '/auth/2fa/enroll/setup',
      tag,
      summary: 'Gives the secret for the authenticator app',
      permission: 'public',
      request: { body: z.strictObject({ enrollmentToken: token }) },
      response: {
        status: 200,
        schema: z.object({ secret: z.string(), otpauthUrl: z.string(), qrCode: z.string() }),
      },
      rejections: [TOKEN_INVALID],
      handle: async ({ body }) => ({ body: await secondFactor.setup(body.enrollmentToken) }),
    }),
    route({
      method: 'post',
      path: '/auth/2fa/enroll/confirm',
      tag,
      summary: 'Confirms the app with its first code, signs in and gives the backup codes, once',
      permission: 'public',
      request: { body: z.strictObject({ enrollmentToken: token, code: secretText(20) }) },
      response: {
        status: 200,
        schema: z.object({ user: me, storeSlug: z.string(), backupCodes: z.array(z.string()) }),
      },
      rejections: [TOKEN_INVALID, CODE_INVALID],
      async handle({ body }, context) {
        const confirmed = await secondFactor.confirm(body.enrollmentToken, body.code, context);
        const reply = await signedInReply(services, confirmed.signedIn);
        return { ...reply, body: { ...(reply.body as object), backupCodes: confirmed.backupCodes } };
      },
    }),
    route({
      method: 'delete',
      path: '/auth/2fa',
      tag,
      summary: 'Gives up the second factor',
      permission: 'session',
      request: { body: z.strictObject({ password: secretText(1_000), code: secretText(20) }) },
      response: { status: 204 },
      rejections: [TWO_FACTOR_OFF, ENROLLMENT_REQUIRED, CODE_INVALID, TOO_MANY_ATTEMPTS],
      async handle({ body }, context) {
        await secondFactor.switchOff(await own(services, context), body.password, body.code, context);
        return {};
      },
    }),
  ];
}

function resetRoutes({ passwordReset }: AuthServices): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/auth/forgot-password',
      tag,
      summary: 'Sends a mail with which the password can be replaced; answers alike whether the account exists or not',
      permission: 'public',
      request: { body: z.strictObject({ email: name(254) }) },
      response: { status: 200, schema: ok },
      handle({ body }, context) {
        passwordReset.request(body.email, context);
        return { body: { status: 'ok' } };
      },
    }),
    route({
      method: 'post',
      path: '/auth/reset-password',
      tag,
      summary: 'Replaces the password and ends every session',
      permission: 'public',
      request: { body: z.strictObject({ token, password: secretText(1_000) }) },
      response: { status: 200, schema: ok },
      rejections: [PASSWORD_UNFIT],
      async handle({ body }, context) {
        await passwordReset.reset(body.token, body.password, context);
        return { body: { status: 'ok' } };
      },
    }),
  ];
}
