import { isUtf8 } from 'node:buffer';
import { Rejection } from '../../kernel/events/rejection.js';
import { faultsIn } from './json-paths.js';
import { COLON, QUOTE, endOfString, isDigit, scanNumber } from './json-scan.js';
import { InputErrors } from './problem.js';
import { MALFORMED_JSON } from './rejections.js';

const DEEPEST = 64;

interface Inspection {
  readonly losesNumbers: boolean;
  /** How many members its objects name. */
  readonly members: number;
}

/** Refuses depths that harm whoever walks them, and tells what else JSON.parse lets through: numbers that lose what they say, and, by their count, members that are lost. */
function inspect(text: string): Inspection {
  let depth = 0;
  let members = 0;
  let losesNumbers = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > DEEPEST) throw new Rejection(MALFORMED_JSON, `JSON must not be deeper than ${DEEPEST} levels`);
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === COLON) members++;
    else if (isDigit(code)) {
      const { end, fault } = scanNumber(text, index);
      losesNumbers ||= fault !== undefined;
      index = end - 1;
    }
  }
  return { losesNumbers, members };
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let members = inside === value ? 0 : inside.length;
  for (const each of inside) members += membersOf(each);
  return members;
}

/** Of a member that is named twice others on the way, which read the first, would let pass what is not what counts here. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Rejection(MALFORMED_JSON, 'the body is not valid UTF-8');
  const text = bytes.toString('utf8');
  const { losesNumbers, members } = inspect(text);
  const value = parse(text);
  if (losesNumbers || membersOf(value) !== members) {
    const errors = new InputErrors();
    for (const { path, message } of faultsIn(text)) errors.note(path, message);
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
