import { categoryEvents } from '../src/features/categories/events.js';
import { namedCollection, namedSetHandlers } from '../src/kernel/named-set-projector.js';
import { recordProjector } from '../src/kernel/projector.js';

export const categories = namedCollection<{ readonly defaultNcm: string | null }>('categories');

export const categoriesProjector = recordProjector(
  categories,
  [categoryEvents.codec],
  namedSetHandlers(categoryEvents),
);
