import { categoryEvents } from '../../src/features/categories/events.js';
import { productEvents } from '../../src/features/products/events.js';
import { namedCollection, namedSetHandlers } from '../../src/kernel/patterns/named-set-projector.js';
import { recordProjector } from '../../src/kernel/projections/projector.js';
import { one, productCounting } from '../products/product-counts.js';

export const categories = namedCollection<{ readonly defaultNcm: string | null }>('categories');

export const categoriesProjector = recordProjector(categories, [categoryEvents.codec, productEvents], {
  ...namedSetHandlers(categoryEvents),
  ...productCounting(({ categoryId }) => one(categoryId)),
});
