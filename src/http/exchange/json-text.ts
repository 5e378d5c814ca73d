import { isUtf8 } from 'node:buffer';
import { Rejection } from '../../kernel/events/rejection.js';
import { longNumberPaths } from './json-paths.js';
import { MOST_DIGITS, QUOTE, endOfString, isDigit, scanNumber } from './json-scan.js';
import { InputErrors } from './problem.js';
import { MALFORMED_JSON } from './rejections.js';

const DEEPEST = 64;

/** Refuses depths that harm whoever walks them, and tells whether a number would lose digits: JSON.parse lets both through. */
function inspect(text: string): { readonly hasLongNumber: boolean } {
  let depth = 0;
  let hasLongNumber = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > DEEPEST) throw new Rejection(MALFORMED_JSON, `JSON must not be deeper than ${DEEPEST} levels`);
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (isDigit(code)) {
      const { end, isLong } = scanNumber(text, index);
      hasLongNumber ||= isLong;
      index = end - 1;
    }
  }
  return { hasLongNumber };
}

/** When a member is repeated, the last one counts. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Rejection(MALFORMED_JSON, 'the body is not valid UTF-8');
  const text = bytes.toString('utf8');
  const { hasLongNumber } = inspect(text);
  const value = parse(text);
  if (hasLongNumber) {
    const errors = new InputErrors();
    for (const path of longNumberPaths(text)) errors.note(path, `must have at most ${MOST_DIGITS} significant digits`);
    throw errors.refusal();
  }
  return value;
}

function parse(text: string): unknown {
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
