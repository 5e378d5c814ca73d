import type { Projector } from '../src/kernel/projector.js';
import { brandsProjector } from './brands.js';
import { categoriesProjector } from './categories.js';
import { tagsProjector } from './tags.js';

export const projectors: readonly Projector[] = [categoriesProjector, brandsProjector, tagsProjector];
