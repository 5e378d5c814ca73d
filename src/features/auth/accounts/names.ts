import { claimType } from '../../../kernel/claim.js';
import { nameEvents } from './events.js';

/** User names and e-mail addresses are one whatever their case. */
export const foldName = (text: string): string => text.normalize('NFC').toLowerCase();

export type NameKind = 'username' | 'email';

/** Unique over the installation. */
export const username = claimType('username', nameEvents);
export const email = claimType('email', nameEvents);
