import { namedSet } from '../../kernel/patterns/named-set.js';
import { brandEvents } from './events.js';

export const brand = { category: 'brands', ...namedSet(brandEvents, 'refuse') };
