import { namedSet } from '../../kernel/named-set.js';
import { categoryEvents } from './events.js';

export const category = { category: 'categories', ...namedSet(categoryEvents, 'refuse') };
