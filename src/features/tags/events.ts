import { z } from 'zod';
import { namedSetEvents } from '../../kernel/patterns/named-set.js';

export const tagEvents = namedSetEvents('ProductTag', 'ProductTags', z.object({}));
