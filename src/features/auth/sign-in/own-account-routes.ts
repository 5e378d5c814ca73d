import { z } from 'zod';
import { name } from '../../../kernel/fields.js';
import { Rejection } from '../../../kernel/rejection.js';
import type { RequestContext, Route } from '../../../kernel/route.js';
import { route } from '../../../kernel/route.js';
import { CREDENTIAL_INVALID } from '../access/rejections.js';
import type { Account, Profile } from '../accounts/decider.js';
import { findAccount } from '../accounts/directory.js';
import { emailAddress, newPassword, userName } from '../accounts/fields.js';
import { forgetPassword, passwordWrite } from '../accounts/password-rows.js';
import { commitChange, prepareChange } from '../accounts/registration.js';
import { USERNAME_TAKEN } from '../accounts/rejections.js';
import { onAccount } from './facts.js';
import { describeUser, me } from './me.js';
import { SIGN_IN_REFUSED, TOO_MANY_ATTEMPTS } from './rejections.js';
import type { AuthServices } from './services.js';

const body = z
  .strictObject({
    name: name(120).optional(),
    username: userName.optional(),
    email: emailAddress.optional(),
    password: newPassword.optional(),
    currentPassword: z.string().min(1).max(1_000).optional(),
  })
  .refine(
    ({ username, email, password, currentPassword }) =>
      currentPassword !== undefined || (username ?? email ?? password) === undefined,
    { path: ['currentPassword'], error: 'is needed to change user name, e-mail address or password' },
  )
  .meta({ id: 'OwnAccountChange' });

/** What its holder alone may change once an account belongs to several stores. */
export const ownAccountRoutes = (services: AuthServices): readonly Route[] => [
  route({
    method: 'patch',
    path: '/auth/me',
    tag: 'Authentication',
    summary: "Changes the user's own name, user name, e-mail address or password",
    description: 'All but the name need the current password. A new password ends every other session.',
    permission: 'session',
    request: { body },
    response: { status: 200, schema: me },
    rejections: [SIGN_IN_REFUSED, TOO_MANY_ATTEMPTS, USERNAME_TAKEN],
    async handle(input, context) {
      const { password, currentPassword, ...members } = input.body;
      const account = await expectHolder(services, context, currentPassword);
      const changes = Object.fromEntries(
        Object.entries(members).filter(([, value]) => value !== undefined),
      ) as Partial<Profile>;
      await commitChange(context, await prepareChange(context, account, { changes }));
      if (password !== undefined) await setPassword(services, context, account, password);
      const changed = await findAccount(services.lanes, account.userId);
      const store = await services.stores.byId(context.storeId);
      if (!changed || !store) throw new Rejection(CREDENTIAL_INVALID);
      const user = await describeUser(services.lanes, changed, store);
      return password === undefined
        ? { body: user }
        : { body: user, session: await services.sessions.start(changed, store.id) };
    },
  }),
];

async function expectHolder(
  { lanes, signIn }: AuthServices,
  { session, client }: RequestContext,
  currentPassword: string | undefined,
): Promise<Account> {
  const account = session && (await findAccount(lanes, session.userId));
  if (!account) throw new Rejection(CREDENTIAL_INVALID);
  if (currentPassword === undefined) return account;
  const proved = await signIn.checkPassword(account.username, currentPassword, client.address);
  if (!proved) throw new Rejection(SIGN_IN_REFUSED);
  return proved;
}

async function setPassword(
  { hasher, vault }: AuthServices,
  context: RequestContext,
  before: Account,
  password: string,
): Promise<void> {
  const passwordId = context.newId();
  const rows = [passwordWrite(passwordId, await hasher.hash(password))];
  await onAccount(context, before, null, { type: 'changePassword', by: 'holder', passwordId }, rows);
  await forgetPassword(vault, before);
}
