import { rejection } from '../../kernel/rejection.js';

export const TOO_MANY_ATTEMPTS = rejection(429, 'TOO_MANY_ATTEMPTS', 'Too many attempts failed; try again later');
