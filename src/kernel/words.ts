const MARKS = /\p{M}+/gu;
const WORD = /[\p{L}\p{N}]+/gu;

/** Case and accents do not count: two texts match when their folded forms are equal. Turkish dotted and dotless i fold to i. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(MARKS, '')
    .replaceAll('ı', 'i')
    .trim()
    .replace(/\s+/gu, ' ');
}

/** The folded words of a text, each once. */
export const wordsOf = (text: string): string[] => [...new Set(foldText(text).match(WORD) ?? [])];
