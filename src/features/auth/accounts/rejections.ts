import { rejection } from '../../../kernel/events/rejection.js';

export const USERNAME_TAKEN = rejection(409, 'USERNAME_TAKEN', 'Another account has this user name or e-mail address');
export const ACCOUNT_OF_ITS_HOLDER = rejection(
  403,
  'ACCOUNT_OF_ITS_HOLDER',
  'Only its holder changes the account: it belongs to another store as well, or was not created here',
);
export const TWO_FACTOR_ON = rejection(409, 'TWO_FACTOR_ON', 'The account has a second factor already');
