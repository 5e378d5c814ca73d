/** The small pieces that readers of a JSON text share: they trust that JSON.parse judges the text itself. */

const MOST_DIGITS = 15;
/** What is written shorter is never so small that it is read as 0. */
const SHORTEST_VANISHING = '1e-324'.length;

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const COLON = 0x3a;
const BEFORE_COLON = /\s*:/y;
export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

export function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    index += code === BACKSLASH ? 2 : 1;
  }
  return index;
}

/** Whether the text that ends before `index` is the name of a member. */
export function isColonAt(text: string, index: number): boolean {
  BEFORE_COLON.lastIndex = index;
  return BEFORE_COLON.test(text);
}

interface ScannedNumber {
  readonly end: number;
  /** Why a binary fraction would not hold what is written; undefined where it does. */
  readonly fault: string | undefined;
}

export function scanNumber(text: string, start: number): ScannedNumber {
  let index = start;
  let digits = 0;
  let zeros = 0;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x2e) continue;
    if (!isDigit(code)) break;
    if (code === 0x30) zeros += digits === 0 ? 0 : 1;
    else {
      digits += zeros + 1;
      zeros = 0;
    }
  }
  while (index < text.length && /[0-9eE+.-]/.test(text.charAt(index))) index++;
  if (digits > MOST_DIGITS) return { end: index, fault: `must have at most ${MOST_DIGITS} significant digits` };
  const vanishes = digits > 0 && index - start >= SHORTEST_VANISHING && Number(text.slice(start, index)) === 0;
  return { end: index, fault: vanishes ? 'is too small' : undefined };
}
