import { reservationType } from '../../../kernel/patterns/reservation.js';
import { nameEvents } from './events.js';

/** User names and e-mail addresses are one whatever their case. */
export const foldName = (text: string): string => text.normalize('NFC').toLowerCase();

export type NameKind = 'username' | 'email';

/** Unique over the installation. */
export const username = reservationType('username', nameEvents);
export const email = reservationType('email', nameEvents);
