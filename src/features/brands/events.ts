import { z } from 'zod';
import { namedSetEvents } from '../../kernel/patterns/named-set.js';

export const brandEvents = namedSetEvents('Brand', 'Brands', z.object({}));
