import { folded } from '../../values/folded.js';

/** Signs that are taken for one another, the digit first. */
const CONFUSED = ['0o', '1il'];

/** What a sign may have been: itself, and what is taken for it. */
export function takenFor(sign: string): readonly string[] {
  const others = CONFUSED.find((signs) => signs.includes(folded(sign))) ?? '';
  return [sign, ...Array.from(others).filter((other) => other !== folded(sign))];
}

/** What is told apart by ear and eye: no signs between, and the letters that are taken for digits are those. */
const bare = (code: string): string =>
  folded(code)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/./gu, (sign) => CONFUSED.find((signs) => signs.includes(sign))?.charAt(0) ?? sign);

/** How many signs are to be changed, put in or left out to make one of the other, and to make it the beginning of the other. */
function differenceOf(one: string, other: string): { readonly whole: number; readonly beginning: number } {
  const [signs, wanted] = [Array.from(one), Array.from(other)];
  let row = [0, ...wanted.map((_, place) => place + 1)];
  for (const [place, sign] of signs.entries()) {
    const next = [place + 1];
    for (const [before, sought] of wanted.entries()) {
      const [kept = 0, taken = 0, put = 0] = [row[before], row[before + 1], next[before]];
      next.push(Math.min(kept + (sign === sought ? 0 : 1), taken + 1, put + 1));
    }
    row = next;
  }
  return { whole: row.at(-1) ?? 0, beginning: Math.min(...row) };
}

/** First the lots whose codes begin most like what was typed, and of those the ones that are most like it as a whole. */
export function byLikeness<L extends { readonly lotCode: string | null }>(
  code: string,
  lots: readonly L[],
): readonly L[] {
  const typed = bare(code);
  return lots
    .map((lot) => ({ lot, ...differenceOf(typed, bare(lot.lotCode ?? '')) }))
    .sort((a, b) => a.beginning - b.beginning || a.whole - b.whole)
    .map(({ lot }) => lot);
}
