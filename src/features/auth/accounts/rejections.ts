import { rejection } from '../../../kernel/rejection.js';

export const USERNAME_TAKEN = rejection(409, 'USERNAME_TAKEN', 'Another account has this user name or e-mail address');
export const ACCOUNT_OF_ITS_HOLDER = rejection(
  403,
  'ACCOUNT_OF_ITS_HOLDER',
  'Only its holder changes the account: it belongs to another store as well, or was not created here',
);
