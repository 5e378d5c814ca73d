import { namedSetHistory } from '../../kernel/patterns/named-set-history.js';
import { brandEvents } from './events.js';

export const brandHistory = namedSetHistory(brandEvents, 'brand', {
  pt: 'a marca',
  ptPlural: 'marcas',
  feminine: true,
  en: 'the brand',
  enPlural: 'brands',
});
