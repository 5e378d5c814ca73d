import { example } from './example.js';

const CODE = '123456';
const TOKEN = 'xYq2c1l0ZXN0LXRva2VuLWV4YW1wbGUtMDEyMzQ1Njc4OQ';
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const AT = '2026-11-20T12:00:00.000Z';
const OK = { status: 'ok' };
const ID = '019b76da-a800-7000-8000-000000000002';

const ME = {
  id: ID,
  username: 'demo',
  name: 'Ana Lima',
  email: 'demo@padaria.example',
  kind: 'user',
  storeSlug: 'demo',
  role: 'OWNER',
  permissions: ['products.view', 'products.manage', 'sales.view'],
  twoFactorEnabled: false,
  printTarget: null,
  uiPreferences: null,
};
const SIGNED_IN = { user: ME, storeSlug: 'demo' };

/** What needs a password, a code or a token that came by mail: what it looks like. */
export const SIGN_IN_EXAMPLES = [
  example('POST /auth/login', { body: { username: 'demo', password: 'a senha da demonstração' }, answer: SIGNED_IN }),
  example('POST /auth/refresh', { answer: SIGNED_IN }),
  example('POST /auth/logout', { answer: OK }),
  example('GET /auth/my-stores', {
    answer: [{ slug: 'demo', name: 'Padaria Demonstração', role: 'OWNER', current: true }],
  }),
  example('POST /auth/switch-store', { body: { storeSlug: 'demo' }, answer: SIGNED_IN }),
  example('GET /auth/sessions', {
    answer: {
      items: [{ id: ID, createdAt: AT, lastSeenAt: AT, userAgent: 'Mozilla/5.0 (X11; Linux x86_64)', current: true }],
    },
  }),
  example('POST /auth/2fa/verify', { body: { pendingToken: TOKEN, code: CODE }, answer: SIGNED_IN }),
  example('POST /auth/2fa/recover', {
    body: { pendingToken: TOKEN, backupCode: 'k7m2-p9qx-4t8w' },
    answer: SIGNED_IN,
  }),
  example('POST /auth/2fa/enrollment', {
    body: { password: 'a senha da demonstração' },
    answer: { enrollmentToken: TOKEN },
  }),
  example('POST /auth/2fa/enroll/setup', {
    body: { enrollmentToken: TOKEN },
    answer: {
      secret: SECRET,
      otpauthUrl: `otpauth://totp/Store%20Management:demo?secret=${SECRET}&issuer=Store%20Management`,
      qrCode: 'data:image/png;base64,iVBORw0KGgo…',
    },
  }),
  example('POST /auth/2fa/enroll/confirm', {
    body: { enrollmentToken: TOKEN, code: CODE },
    answer: { ...SIGNED_IN, backupCodes: ['k7m2-p9qx-4t8w', 'h3v6-z1rc-9n5d'] },
  }),
  example('DELETE /auth/2fa', { body: { password: 'a senha da demonstração', code: CODE } }),
  example('POST /auth/forgot-password', { body: { email: 'demo@padaria.example' }, answer: OK }),
  example('POST /auth/reset-password', { body: { token: TOKEN, password: 'uma senha nova e comprida' }, answer: OK }),
  example('POST /auth/email-verifications', { answer: OK }),
  example('POST /auth/email-verifications/confirm', { body: { token: TOKEN }, answer: OK }),
  example('PATCH /auth/me', { body: { name: 'Ana Lima' }, answer: ME }),
  example('POST /auth/presence', { answer: { lastSeenAt: AT } }),
  example('PATCH /auth/me/print-target', {
    body: { target: 'agent', agentId: 'caixa-1', a4Sheet: false },
    answer: { ...ME, printTarget: { target: 'agent', agentId: 'caixa-1', a4Sheet: false } },
  }),
  example('PATCH /auth/me/ui-preferences', {
    body: { navigationFavorites: ['/sales'], theme: 'dark' },
    answer: { ...ME, uiPreferences: { navigationFavorites: ['/sales'], theme: 'dark' } },
  }),
  example('POST /users/invitations/accept', {
    body: { token: TOKEN },
    answer: { storeSlug: 'demo', storeName: 'Padaria Demonstração' },
  }),
];
