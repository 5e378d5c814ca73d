import { z } from 'zod';
import { name } from '../../../kernel/values/fields.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { PASSWORD_UNFIT, RESET_TOKEN_INVALID } from './rejections.js';
import { PASSWORD_RULE } from './passwords.js';
import { knownPassword, ok, tag, token } from './schemas.js';
import type { AuthServices } from './services.js';

export function passwordResetRoutes({ passwordReset }: AuthServices): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/auth/forgot-password',
      operationId: 'requestPasswordReset',
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
      request: { body: z.strictObject({ token, password: knownPassword.meta({ description: PASSWORD_RULE }) }) },
      response: { status: 200, schema: ok },
      rejections: [PASSWORD_UNFIT, RESET_TOKEN_INVALID],
      async handle({ body }, context) {
        await passwordReset.reset(body.token, body.password, context);
        return { body: { status: 'ok' } };
      },
    }),
  ];
}
