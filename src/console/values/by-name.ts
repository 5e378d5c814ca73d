import { language } from '../words/language.js';

/** In the order in which people look for names. */
export const byName = <T>(items: readonly T[], nameOf: (item: T) => string): readonly T[] =>
  [...items].sort((a, b) => nameOf(a).localeCompare(nameOf(b), language()));
