import { namedSetHistory } from '../../kernel/patterns/named-set-history.js';
import { tagEvents } from './events.js';

export const tagHistory = namedSetHistory(tagEvents, 'tag', {
  pt: 'a etiqueta',
  ptPlural: 'etiquetas',
  feminine: true,
  en: 'the tag',
  enPlural: 'tags',
});
