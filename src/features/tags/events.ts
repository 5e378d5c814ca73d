import { z } from 'zod';
import { namedSetEvents } from '../../kernel/named-set.js';

export const tagEvents = namedSetEvents('ProductTag', 'ProductTags', z.object({}));
