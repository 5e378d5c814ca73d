import type { Language, Voice } from '../../../kernel/events/history.js';
import { writtenMoney, writtenNumber } from '../../../kernel/values/written-numbers.js';

const MOST_LISTED = 3;
const FLAGS = { pt: ['sim', 'não'], en: ['yes', 'no'] } as const;

/** How sentences of a language write everything but names. */
export const voiceOf = (language: Language): Omit<Voice, 'name' | 'quantity' | 'goods'> => ({
  number: (value) => writtenNumber(language, value),
  money: (value) => writtenMoney(language, value),
  flag: (value) => FLAGS[language][value ? 0 : 1],
  list(items) {
    const more = items.length - MOST_LISTED;
    const some = items.slice(0, MOST_LISTED).join(', ');
    if (more <= 0) return some;
    return language === 'pt' ? `${some} e mais ${String(more)}` : `${some} and ${String(more)} more`;
  },
});
