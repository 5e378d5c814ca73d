import { namedSet } from '../../kernel/named-set.js';
import { brandEvents } from './events.js';

export const brand = { category: 'brands', ...namedSet(brandEvents, 'refuse') };
