import { z } from 'zod';
import { namedSetEvents } from '../../kernel/patterns/named-set.js';

export const categoryEvents = namedSetEvents('Category', 'Categories', z.object({ defaultNcm: z.string().nullable() }));
