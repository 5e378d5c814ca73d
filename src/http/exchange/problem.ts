import { z } from 'zod';
import type { RejectionKind } from '../../kernel/events/rejection.js';
import { Rejection, UNAVAILABLE } from '../../kernel/events/rejection.js';
import { cutTo } from '../../kernel/values/whole-signs.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { InvalidCursor } from '../../ports/read-models.js';
import { inPortuguese } from './errors-in-portuguese.js';
import { INTERNAL_ERROR, INVALID_INPUT, MALFORMED_REQUEST } from './rejections.js';

/** One thing that is wrong with the input. */
interface InputError {
  readonly path: string;
  readonly message: string;
}

/** An answer tells so many errors and counts the rest: it must not grow with what was sent. */
const MOST_ERRORS = 50;
const LONGEST_ECHO = 100;
const LONGEST_DETAIL = 500;

const problemType = (kind: RejectionKind): string => `/problems/${kind.code.toLowerCase().replaceAll('_', '-')}`;

/** What was found to be wrong: the first errors, and how many there are in all. */
export class InputErrors {
  private readonly first: InputError[] = [];
  private count = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Issues about a value that stands at a path of its own. */
  add(issues: readonly z.core.$ZodIssue[], within: readonly PropertyKey[] = []): void {
    for (const issue of issues) {
      const path = [...within, ...issue.path];
      const meant = issue.code === 'invalid_union' ? meantOption(issue.errors) : undefined;
      if (meant) this.add(meant, path);
      else if (issue.code !== 'unrecognized_keys') this.note(path, issue.message);
      else for (const key of issue.keys) this.note([...path, key], 'is not known here');
    }
  }

  refusal(): Rejection {
    return invalidInput(this.first, this.count - this.first.length);
  }

  note(path: readonly PropertyKey[], message: string): void {
    this.count += 1;
    if (this.first.length < MOST_ERRORS) this.first.push({ path: z.core.toDotPath(path), message });
  }
}

/** What is wrong with the one option of a union whose type the value has; undefined where none or several could be meant. */
function meantOption(options: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  const ofItsType = options.filter((issues) =>
    issues.every(({ code, path }) => code !== 'invalid_type' || path.length > 0),
  );
  return ofItsType.length === 1 ? ofItsType[0] : undefined;
}

/** A path may hold names that the client made up. */
const echoed = (path: string): string => (path.length > LONGEST_ECHO ? `${cutTo(path, LONGEST_ECHO - 1)}…` : path);

const detailOf = (errors: readonly InputError[]): string =>
  cutTo(errors.map(({ path, message }) => `${path} ${message}`.trim()).join('; '), LONGEST_DETAIL);

export function invalidInput(found: readonly InputError[], errorsOmitted = 0): Rejection {
  const errors = found.map(({ path, message }) => ({ path: echoed(path), message }));
  return new Rejection(INVALID_INPUT, detailOf(errors), {
    errors,
    ...(errorsOmitted > 0 ? { errorsOmitted } : {}),
  });
}

/** Errors of the router carry a status; everything unknown is ours. */
export function asRejection(error: unknown): Rejection {
  if (error instanceof Rejection) return error;
  if (error instanceof StoreUnavailable) return new Rejection(UNAVAILABLE);
  if (error instanceof InvalidCursor) return invalidInput([{ path: 'cursor', message: 'is no cursor of this list' }]);
  if (error instanceof URIError) return new Rejection(MALFORMED_REQUEST, 'the address is badly encoded');
  return new Rejection(INTERNAL_ERROR);
}

/** What was wrong with single values, told in Portuguese; the rest of a refusal is known by its code. */
export function toldInPortuguese(refusal: Rejection): Rejection {
  const { kind, message, extra } = refusal;
  if (!Array.isArray(extra['errors'])) return refusal;
  const given = extra['errors'] as readonly InputError[];
  const errors = given.map((error) => ({ ...error, message: inPortuguese(error.message) }));
  return new Rejection(kind, kind === INVALID_INPUT ? detailOf(errors) : message, { ...extra, errors });
}

/** What is wrong with many values of a request: the first of them, and how many more there are. */
function withFewErrors(extra: Rejection['extra']): Rejection['extra'] {
  const { errors } = extra;
  if (!Array.isArray(errors) || errors.length <= MOST_ERRORS) return extra;
  return { ...extra, errors: errors.slice(0, MOST_ERRORS), errorsOmitted: errors.length - MOST_ERRORS };
}

/** RFC 9457. */
export function problemJson({ kind, message, extra }: Rejection, requestId: string): string {
  return JSON.stringify({
    type: problemType(kind),
    title: kind.title,
    status: kind.status,
    detail: message,
    code: kind.code,
    requestId,
    ...withFewErrors(extra),
  });
}
