import { z } from 'zod';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { TWO_FACTOR_ON } from '../accounts/rejections.js';
import {
  CODE_INVALID,
  ENROLLMENT_REQUIRED,
  PASSWORD_NEEDED,
  PASSWORD_WRONG,
  TOKEN_INVALID,
  TOO_MANY_ATTEMPTS,
  TWO_FACTOR_OFF,
} from './rejections.js';
import { me } from './me.js';
import { ownAccount, shownSession } from './own-account.js';
import { knownPassword, secretText, signedInAnswer, tag, token } from './schemas.js';
import { mayBeAbsent } from '../../../kernel/values/fields.js';
import type { AuthServices } from './services.js';
import { signedInReply } from './session-routes.js';

const appCode = secretText(20);
const paperCode = secretText(50);

/** The second half of a sign-in, and how a second factor is set up and given up. */
export const secondFactorRoutes = (services: AuthServices): readonly Route[] => [
  ...completion(services),
  ...enrollment(services),
];

const completion = (services: AuthServices): readonly Route[] => [
  route({
    method: 'post',
    path: '/auth/2fa/verify',
    operationId: 'verifySecondFactor',
    tag,
    summary: 'Completes a sign-in with a code of the authenticator app',
    permission: 'public',
    request: { body: z.strictObject({ pendingToken: token, code: appCode }) },
    response: { status: 200, schema: signedInAnswer, cookies: true },
    rejections: [TOKEN_INVALID, CODE_INVALID, TOO_MANY_ATTEMPTS],
    async handle({ body }, context) {
      const { pendingToken, code } = body;
      return signedInReply(services, await services.secondFactor.verify(pendingToken, code, 'totp', context));
    },
  }),
  route({
    method: 'post',
    path: '/auth/2fa/recover',
    operationId: 'recoverSecondFactor',
    tag,
    summary: 'Completes a sign-in with a backup code',
    permission: 'public',
    request: { body: z.strictObject({ pendingToken: token, backupCode: paperCode }) },
    response: { status: 200, schema: signedInAnswer, cookies: true },
    rejections: [TOKEN_INVALID, CODE_INVALID, TOO_MANY_ATTEMPTS],
    async handle({ body }, context) {
      const { pendingToken, backupCode } = body;
      return signedInReply(
        services,
        await services.secondFactor.verify(pendingToken, backupCode, 'backupCode', context),
      );
    },
  }),
];

function enrollment(services: AuthServices): readonly Route[] {
  const { secondFactor } = services;
  return [
    route({
      method: 'post',
      path: '/auth/2fa/enrollment',
      dryRun: 'not possible',
      operationId: 'beginEnrollment',
      tag,
      summary: 'Begins to set up a second factor',
      description: 'A session whose user signed in more than 15 minutes ago needs the password.',
      permission: 'session',
      request: { body: z.strictObject({ password: mayBeAbsent(knownPassword) }).optional() },
      response: { status: 201, schema: z.object({ enrollmentToken: z.string() }) },
      rejections: [TWO_FACTOR_ON, PASSWORD_NEEDED, PASSWORD_WRONG, TOO_MANY_ATTEMPTS],
      async handle({ body }, context) {
        const [account, session] = [await ownAccount(services, context), await shownSession(services, context)];
        const enrollmentToken = await secondFactor.beginEnrollment(account, session, body?.password, context);
        return { body: { enrollmentToken } };
      },
    }),
    route({
      method: 'post',
      path: '/auth/2fa/enroll/setup',
      operationId: 'setUpSecondFactor',
      tag,
      summary: 'Gives the secret for the authenticator app',
      description: 'The same for one token, however often it is asked for.',
      permission: 'public',
      request: { body: z.strictObject({ enrollmentToken: token }) },
      response: {
        status: 200,
        schema: z.object({ secret: z.string(), otpauthUrl: z.string(), qrCode: z.string() }),
      },
      rejections: [TOKEN_INVALID, TWO_FACTOR_ON],
      handle: async ({ body }) => ({ body: await secondFactor.setup(body.enrollmentToken) }),
    }),
    route({
      method: 'post',
      path: '/auth/2fa/enroll/confirm',
      operationId: 'confirmSecondFactor',
      tag,
      summary: 'Confirms the app with its first code, signs in and gives the backup codes, once',
      permission: 'public',
      request: { body: z.strictObject({ enrollmentToken: token, code: appCode }) },
      response: {
        status: 200,
        schema: z.object({ user: me, storeSlug: z.string(), backupCodes: z.array(z.string()) }),
        cookies: true,
      },
      rejections: [TOKEN_INVALID, CODE_INVALID, TWO_FACTOR_ON],
      async handle({ body }, context) {
        const { signedIn, backupCodes } = await secondFactor.confirm(body.enrollmentToken, body.code, context);
        const reply = await signedInReply(services, signedIn);
        return { ...reply, body: { ...reply.body, backupCodes } };
      },
    }),
    route({
      method: 'delete',
      path: '/auth/2fa',
      dryRun: 'not possible',
      operationId: 'removeSecondFactor',
      tag,
      summary: 'Gives up the second factor, with the password and a code of the app or a backup code',
      permission: 'session',
      request: { body: z.strictObject({ password: knownPassword, code: paperCode }) },
      response: { status: 204 },
      rejections: [TWO_FACTOR_OFF, ENROLLMENT_REQUIRED, PASSWORD_WRONG, CODE_INVALID, TOO_MANY_ATTEMPTS],
      async handle({ body }, context) {
        const [account, shown] = [await ownAccount(services, context), await shownSession(services, context)];
        await secondFactor.switchOff(account, shown, body, context);
        return {};
      },
    }),
  ];
}
