import { z } from 'zod';
import { rejection } from '../../../kernel/events/rejection.js';

export const CREDENTIAL_INVALID = rejection(401, 'CREDENTIAL_INVALID', 'The credential is absent or invalid');
export const STORE_SLUG_REQUIRED = rejection(400, 'STORE_SLUG_REQUIRED', 'The header X-Store-Slug is missing');
export const KEY_OF_ANOTHER_STORE = rejection(403, 'KEY_OF_ANOTHER_STORE', 'The key does not belong to this store');
export const PLAN_WITHOUT_API = rejection(403, 'PLAN_WITHOUT_API', 'The plan of the store has no API access');
export const EXPIRY_PASSED = rejection(400, 'EXPIRY_PASSED', 'The key would be over already');
export const ALREADY_MEMBER = rejection(409, 'ALREADY_MEMBER', 'The account belongs to the store already');
export const LAST_ADMINISTRATOR = rejection(409, 'LAST_ADMINISTRATOR', 'Somebody must be left who can manage users');
export const LAST_OWNER = rejection(403, 'LAST_OWNER', 'The last owner is changed by owners alone');
export const OWNERS_MAKE_OWNERS = rejection(403, 'OWNERS_MAKE_OWNERS', 'Only owners decide who else may act as one');
export const PERMISSION_NOT_YOURS = rejection(
  403,
  'PERMISSION_NOT_YOURS',
  'Nobody grants, takes or acts with a permission that they lack',
  { permissions: z.array(z.string()).meta({ description: 'Those that are lacking' }) },
);
/** The pages of two people in one browser share its cookies. */
export const USER_SWITCHED = rejection(409, 'USER_SWITCHED', 'The session belongs to another user by now');
export const STORE_SWITCHED = rejection(409, 'STORE_SWITCHED', 'The session belongs to another store by now');
