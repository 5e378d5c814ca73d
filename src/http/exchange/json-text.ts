import { isUtf8 } from 'node:buffer';
import { Rejection } from '../../kernel/events/rejection.js';
import { MALFORMED_JSON } from './rejections.js';

const DEEPEST = 64;
const MOST_DIGITS = 15;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    index += code === BACKSLASH ? 2 : 1;
  }
  return index;
}

/** Where the number ends; refuses one that a binary fraction could not hold exactly. */
function endOfNumber(text: string, start: number): number {
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
  if (digits > MOST_DIGITS) {
    throw new Rejection(MALFORMED_JSON, `a number must have at most ${MOST_DIGITS} significant digits`);
  }
  while (index < text.length && /[0-9eE+.-]/.test(text.charAt(index))) index++;
  return index;
}

/** What JSON.parse would let through: numbers that lose digits, and depths that harm whoever walks them. */
function inspect(text: string): void {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > DEEPEST) throw new Rejection(MALFORMED_JSON, `JSON must not be deeper than ${DEEPEST} levels`);
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (isDigit(code)) index = endOfNumber(text, index) - 1;
  }
}

/** Of a repeated member the last counts. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Rejection(MALFORMED_JSON, 'the body is not valid UTF-8');
  const text = bytes.toString('utf8');
  inspect(text);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Rejection(MALFORMED_JSON, describe(error));
  }
}

/** V8 quotes a piece of the body; where it went wrong is enough. */
function describe(error: unknown): string {
  const place =
    error instanceof Error ? /position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0] : undefined;
  return place === undefined ? 'the body ends early or holds something that is not JSON' : `not JSON at ${place}`;
}
