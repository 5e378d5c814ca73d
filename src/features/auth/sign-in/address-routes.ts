import { z } from 'zod';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { ownAccount } from './own-account.js';
import { RESET_TOKEN_INVALID } from './rejections.js';
import { ok, tag, token } from './schemas.js';
import type { AuthServices } from './services.js';

/** How an e-mail address becomes an account's own. */
export const addressRoutes = (services: AuthServices): readonly Route[] => [
  route({
    method: 'post',
    path: '/auth/email-verifications',
    tag,
    summary: "Mails a token to the account's address once more, which proves it",
    description:
      'With an address that is not proved one signs in by user name alone, and cannot have the password replaced by mail. Five mails in 15 minutes go to an address at most, and 100 in an hour leave because of one store; the answer is the same beyond that, and for an address that is proved.',
    permission: 'session',
    request: {},
    response: { status: 200, schema: ok },
    async handle(_input, context) {
      const { pagesUrl } = context.client;
      const { userId } = await ownAccount(services, context);
      await services.addressProofs.send(context, userId, pagesUrl);
      return { body: { status: 'ok' } };
    },
  }),
  route({
    method: 'post',
    path: '/auth/email-verifications/confirm',
    tag,
    summary: "Proves an account's address with the token that went there",
    permission: 'public',
    request: { body: z.strictObject({ token }) },
    response: { status: 200, schema: ok },
    rejections: [RESET_TOKEN_INVALID],
    async handle({ body }, context) {
      await services.addressProofs.confirm(context, body.token);
      return { body: { status: 'ok' } };
    },
  }),
];
