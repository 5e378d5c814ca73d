import { z } from 'zod';

/** A business refusal: expected, explained, and never a stack trace. */
export class Rejection extends Error {
  constructor(
    readonly kind: RejectionKind,
    detail?: string,
    /** Members that sit beside `code` in the answer, such as `shortages`. */
    readonly extra: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail ?? kind.title);
    this.name = 'Rejection';
  }
}

export interface RejectionKind {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  /** What may sit beside `code` in the answer, for whoever reads it by a program. */
  readonly members?: z.ZodRawShape;
}

const kinds = new Map<string, RejectionKind>();

/** Declares a refusal once for each status that it has; the OpenAPI document lists what was declared. */
export function rejection(status: number, code: string, title: string, members?: z.ZodRawShape): RejectionKind {
  const declared = `${code} ${String(status)}`;
  if (kinds.has(declared)) throw new Error(`refusal ${declared} is declared twice`);
  const kind = { status, code, title, ...(members && { members }) };
  kinds.set(declared, kind);
  return kind;
}

/** By code, then by status. */
export const declaredRejections = (): readonly RejectionKind[] =>
  [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);

export const RETRY_AFTER = { retryAfter: z.int().meta({ description: 'Seconds, as in the header Retry-After' }) };

/** Refusals that any feature may need. */
export const NOT_FOUND = rejection(404, 'NOT_FOUND', 'There is no such record');
export const STALE = rejection(412, 'PRECONDITION_FAILED', 'The record has changed since it was read');
export const COMMAND_TOO_LARGE = rejection(409, 'COMMAND_TOO_LARGE', 'The command would record too much at once');
export const UNAVAILABLE = rejection(503, 'UNAVAILABLE', 'A backing store is away; try again');

/** A command that would record too much is refused in words that say what to do instead. */
export async function saidWhenTooLarge<T>(kind: RejectionKind, command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (error) {
    throw error instanceof Rejection && error.kind === COMMAND_TOO_LARGE ? new Rejection(kind) : error;
  }
}

/** Ids in a request that name no record, by where they stand in it: `items[2].variantId`. */
export const notFoundAt = (...paths: readonly string[]): Rejection =>
  new Rejection(NOT_FOUND, undefined, { errors: paths.map((path) => ({ path, message: 'names no record' })) });
