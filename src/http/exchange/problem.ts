import { z } from 'zod';
import { Rejection, UNAVAILABLE, type RejectionKind } from '../../kernel/events/rejection.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { InvalidCursor } from '../../ports/read-models.js';
import { INTERNAL_ERROR, INVALID_INPUT, MALFORMED_REQUEST } from './rejections.js';

/** One thing that is wrong with the input. */
export interface InputError {
  readonly path: string;
  readonly message: string;
}

const problemType = (kind: RejectionKind): string => `/problems/${kind.code.toLowerCase().replaceAll('_', '-')}`;

export function inputErrors(issues: readonly z.core.$ZodIssue[], root?: string): InputError[] {
  const at = (path: readonly PropertyKey[]) => z.core.toDotPath(root === undefined ? path : [root, ...path]);
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: at([...issue.path, key]), message: 'is not known here' }))
      : [{ path: at(issue.path), message: issue.message }],
  );
}

export const invalidInput = (errors: readonly InputError[]): Rejection =>
  new Rejection(
    INVALID_INPUT,
    errors
      .map(({ path, message }) => `${path} ${message}`.trim())
      .join('; ')
      .slice(0, 500),
    {
      errors,
    },
  );

/** Errors of the router carry a status; everything unknown is ours. */
export function asRejection(error: unknown): Rejection {
  if (error instanceof Rejection) return error;
  if (error instanceof StoreUnavailable) return new Rejection(UNAVAILABLE);
  if (error instanceof InvalidCursor) return invalidInput([{ path: 'cursor', message: 'is no cursor of this list' }]);
  if (error instanceof URIError) return new Rejection(MALFORMED_REQUEST, 'the address is badly encoded');
  return new Rejection(INTERNAL_ERROR);
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
    ...extra,
  });
}
