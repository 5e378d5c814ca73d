import { folded } from './folded.js';

/** Of what a search found, what is called so comes before what bears the words in a code or label alone. Otherwise the order stays. */
export function namedFirst<T extends { readonly description: string }>(typed: string, found: readonly T[]): T[] {
  const words = wordsOf(typed);
  const isCalledSo = ({ description }: T): boolean => {
    const own = wordsOf(description);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  };
  return [...found.filter(isCalledSo), ...found.filter((one) => !isCalledSo(one))];
}

const wordsOf = (text: string): readonly string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
