import { z } from 'zod';
import { name } from '../../../kernel/values/fields.js';
import { Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { CREDENTIAL_INVALID } from '../access/rejections.js';
import { readAccessToken } from './access-tokens.js';
import { findAccount } from '../accounts/directory.js';
import { noteFact } from './facts.js';
import { describeUser } from './me.js';
import { readRefreshToken } from './refresh-tokens.js';
import { ENROLLMENT_REQUIRED, NO_STORE, SIGN_IN_REFUSED, TOO_MANY_ATTEMPTS } from './rejections.js';
import { knownPassword, ok, secretText, signedInAnswer, tag } from './schemas.js';
import type { AuthServices } from './services.js';
import { endWrite } from './sessions.js';
import type { SignedIn } from './sign-in.js';
import { lacksFactor } from './sign-in.js';

/** Signing in, staying signed in, signing out. */

const loginAnswer = z.union([
  signedInAnswer,
  z.object({ requiresTwoFactor: z.literal(true), pendingToken: z.string() }),
  z.object({ requiresEnrollment: z.literal(true), enrollmentToken: z.string() }),
]);

/** Sets the cookies and says who is signed in. */
export async function signedInReply(services: AuthServices, { account, store, tokens }: SignedIn) {
  const user = await describeUser(services.lanes, account, store);
  return { body: { user, storeSlug: store.slug }, session: tokens };
}

export function sessionRoutes(services: AuthServices): readonly Route[] {
  const { signIn, sessions, lanes, stores } = services;
  const login = route({
    method: 'post',
    path: '/auth/login',
    tag,
    summary: 'Signs in with user name or e-mail and password',
    permission: 'public',
    request: { body: z.strictObject({ username: name(254), password: knownPassword }) },
    response: { status: 200, schema: loginAnswer, cookies: true },
    rejections: [SIGN_IN_REFUSED, TOO_MANY_ATTEMPTS, NO_STORE],
    async handle({ body }, context) {
      const outcome = await signIn.login(body, context);
      if (outcome.step === 'done') return signedInReply(services, outcome.signedIn);
      return outcome.step === 'second factor'
        ? { body: { requiresTwoFactor: true, pendingToken: outcome.token } }
        : { body: { requiresEnrollment: true, enrollmentToken: outcome.token } };
    },
  });
  const refreshSession = route({
    method: 'post',
    path: '/auth/refresh',
    operationId: 'refreshSession',
    tag,
    summary: "Renews the session's cookies",
    permission: 'public',
    request: {},
    response: { status: 200, schema: signedInAnswer, cookies: true },
    rejections: [CREDENTIAL_INVALID],
    async handle(_input, context) {
      const outcome = await sessions.refresh(context.client.refreshToken ?? '');
      if (outcome.outcome === 'reused') await revokeReused(services, outcome, context);
      if (outcome.outcome !== 'refreshed') throw new Rejection(CREDENTIAL_INVALID);
      const { session, tokens } = outcome;
      const account = await findAccount(lanes, session.userId);
      const store = account && (await signIn.memberStore(account, session.storeId));
      // Who must set up a second factor by now does that by signing in again.
      if (!store || lacksFactor(account, store)) throw new Rejection(CREDENTIAL_INVALID);
      return signedInReply(services, { account, store, tokens });
    },
  });
  const logout = route({
    method: 'post',
    path: '/auth/logout',
    tag,
    summary: 'Signs out and clears the cookies',
    permission: 'public',
    request: {},
    response: { status: 200, schema: ok, cookies: true },
    async handle(_input, context) {
      await endShownSession(services, context);
      return { body: { status: 'ok' }, session: 'ended' };
    },
  });
  const myStores = route({
    method: 'get',
    path: '/auth/my-stores',
    tag,
    summary: 'The stores that the signed-in user can work in',
    permission: 'session',
    request: {},
    response: {
      status: 200,
      schema: z.array(z.object({ slug: z.string(), name: z.string(), role: z.string(), current: z.boolean() })),
    },
    async handle(_input, { session, storeId }) {
      const account = await findAccount(lanes, session?.userId ?? '');
      if (!account) throw new Rejection(CREDENTIAL_INVALID);
      const found = await signIn.storesOf(account);
      const roles = await Promise.all(found.map((store) => describeUser(lanes, account, store)));
      const body = found.map((store, index) => ({
        slug: store.slug,
        name: store.tradeName,
        role: roles[index]?.role ?? '',
        current: store.id === storeId,
      }));
      return { body };
    },
  });
  const switchStore = route({
    method: 'post',
    path: '/auth/switch-store',
    dryRun: 'not possible',
    tag,
    summary: 'Goes on in another store, with new tokens',
    permission: 'session',
    request: { body: z.strictObject({ storeSlug: secretText(63) }) },
    response: { status: 200, schema: signedInAnswer, cookies: true },
    rejections: [NO_STORE, ENROLLMENT_REQUIRED],
    async handle({ body }, context) {
      const wanted = await stores.bySlug(body.storeSlug);
      return signedInReply(services, await signIn.switchStore(wanted?.id, context));
    },
  });
  return [login, refreshSession, logout, myStores, switchStore];
}

async function revokeReused(
  { lanes }: AuthServices,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  context: RequestContext,
): Promise<void> {
  const account = await findAccount(lanes, userId);
  if (!account) return;
  const rows = [endWrite({ userId, sessionId })];
  await noteFact(context, account, null, { type: 'RefreshTokenReused', data: { sessionId } }, rows);
}

/** The session of whichever cookie is there: the access token may have run out. */
async function endShownSession({ sessions, lanes, clock, keys }: AuthServices, context: RequestContext): Promise<void> {
  const { accessToken, refreshToken } = context.client;
  const shown =
    (refreshToken === undefined ? undefined : readRefreshToken(keys.refreshTokens, refreshToken)) ??
    (accessToken === undefined ? undefined : readAccessToken(keys.accessTokens, accessToken, clock.now()));
  if (!shown) return;
  const { userId, sessionId } = shown;
  const session = await sessions.find(userId, sessionId);
  const account = session && (await findAccount(lanes, userId));
  if (!account) return;
  const rows = [endWrite({ userId, sessionId })];
  await noteFact(context, account, session.storeId, { type: 'SignedOut', data: { sessionId } }, rows);
}
