import { example } from './example.js';

const CODE = '123456';
const TOKEN = 'xYq2c1l0ZXN0LXRva2VuLWV4YW1wbGUtMDEyMzQ1Njc4OQ';

/** What needs a password, a code or a token that came by mail: what it looks like. */
export const SIGN_IN_EXAMPLES = [
  example('POST /auth/login', { body: { username: 'demo', password: 'a senha da demonstração' } }),
  example('POST /auth/switch-store', { body: { storeSlug: 'demo' } }),
  example('POST /auth/2fa/verify', { body: { pendingToken: TOKEN, code: CODE } }),
  example('POST /auth/2fa/recover', { body: { pendingToken: TOKEN, backupCode: 'k7m2-p9qx-4t8w' } }),
  example('POST /auth/2fa/enroll/setup', { body: { enrollmentToken: TOKEN } }),
  example('POST /auth/2fa/enroll/confirm', { body: { enrollmentToken: TOKEN, code: CODE } }),
  example('DELETE /auth/2fa', { body: { password: 'a senha da demonstração', code: CODE } }),
  example('POST /auth/forgot-password', { body: { email: 'demo@padaria.example' } }),
  example('POST /auth/reset-password', { body: { token: TOKEN, password: 'uma senha nova e comprida' } }),
  example('POST /auth/email-verifications/confirm', { body: { token: TOKEN } }),
  example('PATCH /auth/me', { body: { name: 'Ana Lima' } }),
  example('PATCH /auth/me/print-target', { body: { target: 'agent', agentId: 'caixa-1', a4Sheet: false } }),
  example('PATCH /auth/me/ui-preferences', { body: { navigationFavorites: ['/sales'], theme: 'dark' } }),
  example('POST /users/invitations/accept', { body: { token: TOKEN } }),
];
