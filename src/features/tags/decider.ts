import { namedSet } from '../../kernel/patterns/named-set.js';
import { tagEvents } from './events.js';

/** A tag with a name that exists is that tag. */
export const tag = { category: 'tags', ...namedSet(tagEvents, 'select') };
