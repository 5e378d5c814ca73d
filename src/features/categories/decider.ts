import { namedSet } from '../../kernel/patterns/named-set.js';
import { categoryEvents } from './events.js';

export const category = { category: 'categories', ...namedSet(categoryEvents, 'refuse') };
