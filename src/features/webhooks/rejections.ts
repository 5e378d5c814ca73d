import { rejection, RETRY_AFTER } from '../../kernel/events/rejection.js';

export const WEBHOOK_LIMIT = rejection(409, 'WEBHOOK_LIMIT', 'A store has at most five webhook destinations');
export const URL_NOT_ALLOWED = rejection(400, 'URL_NOT_ALLOWED', 'The address of a webhook must be public');
/** One goes out after the other, and each may take ten seconds. */
export const TESTS_RUNNING = rejection(429, 'TESTS_RUNNING', 'Other tests of the destination still run', RETRY_AFTER);
export const DELIVERY_NOT_FAILED = rejection(409, 'DELIVERY_NOT_FAILED', 'Only a failed delivery can be sent again');
export const DESTINATION_INACTIVE = rejection(409, 'DESTINATION_INACTIVE', 'The destination is not active');
