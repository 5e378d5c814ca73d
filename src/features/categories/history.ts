import { namedSetHistory } from '../../kernel/patterns/named-set-history.js';
import { categoryEvents } from './events.js';

export const categoryHistory = namedSetHistory(categoryEvents, 'category', {
  pt: 'a categoria',
  ptPlural: 'categorias',
  feminine: true,
  en: 'the category',
  enPlural: 'categories',
});
