import { rejection, RETRY_AFTER } from '../../../kernel/events/rejection.js';

export const TOO_MANY_ATTEMPTS = rejection(
  429,
  'TOO_MANY_ATTEMPTS',
  'Too many attempts failed; try again later',
  RETRY_AFTER,
);
/** One answer for an unknown user and a wrong password. */
export const SIGN_IN_REFUSED = rejection(401, 'SIGN_IN_REFUSED', 'User name or password is wrong');
export const CODE_INVALID = rejection(401, 'CODE_INVALID', 'The code is wrong');
export const TOKEN_INVALID = rejection(401, 'TOKEN_INVALID', 'The token is unknown, used up or too old');
/** Refuses a mailed token, which is no credential. */
export const RESET_TOKEN_INVALID = rejection(400, 'TOKEN_INVALID', 'The token is unknown, used up or too old');
/** Whoever borrows a session that was left open must not make it theirs. */
export const PASSWORD_NEEDED = rejection(
  403,
  'PASSWORD_NEEDED',
  'The sign-in was a while ago: this needs the password',
);
export const PASSWORD_WRONG = rejection(401, 'PASSWORD_WRONG', 'The current password is wrong');
export const NO_STORE = rejection(403, 'NO_STORE', 'The account belongs to no such store');
export const ENROLLMENT_REQUIRED = rejection(403, 'ENROLLMENT_REQUIRED', 'The store asks for a second factor');
export const TWO_FACTOR_OFF = rejection(409, 'TWO_FACTOR_OFF', 'The account has no second factor');
export const PASSWORD_UNFIT = rejection(400, 'PASSWORD_UNFIT', 'The new password cannot be used');
