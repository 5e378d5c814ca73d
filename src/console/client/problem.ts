import type { components } from 'openapi-client';

/** What the service answers when it refuses. */
export interface Problem {
  readonly status: number;
  readonly code: components['schemas']['RefusalCode'] | 'NETWORK';
  readonly title?: string | undefined;
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
  /** How many seconds the service asks to wait before the same is tried again. */
  readonly retryAfter?: number | undefined;
  readonly errors?: readonly { readonly path: string; readonly message: string }[] | undefined;
  readonly [extra: string]: unknown;
}

export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(readonly problem: Problem) {
    super(problem.detail ?? problem.title ?? problem.code);
  }
}

export const NETWORK: Problem = { status: 0, code: 'NETWORK' };

/** What is not about the request itself may be tried again just so. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Refused &&
  (error.problem.status === 0 || error.problem.status >= 500 || error.problem.status === 429);

/** How many milliseconds a reading waits before its next try: as long as the service asks for, and longer each time. */
export const retryDelay = (tries: number, error: unknown): number =>
  Math.max(1_000 * 2 ** tries, 1_000 * (refusalOf(error)?.retryAfter ?? 0));

export const refusalOf = (error: unknown): Problem | undefined =>
  error instanceof Refused ? error.problem : undefined;
