import { z } from 'zod';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Vault, VaultWrite } from '../../ports/vault.js';
import type { Permission } from '../../kernel/values/permissions.js';
import type { Answer } from '../exchange/exchange.js';
import { IDEMPOTENCY_KEY_REUSED } from '../exchange/rejections.js';
import type { Outcome } from './outcome.js';
import type { KeyedRequest } from './key.js';

const KIND = 'idempotency';
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

const row = z.object({
  requestHash: z.string(),
  /** Ids and time of the command: a repeat runs with the same. */
  seed: z.object({ at: z.number(), entropy: z.string() }),
  claimedAt: z.number(),
  /** When its holder last said that it still runs; 0 when it let go. */
  renewedAt: z.number(),
  /** It was granted and there was nothing to do; of an answer that is not kept. A repeat does nothing either, whatever there is by then. */
  didNothing: z.literal(true).optional(),
  /** Absent while the request runs, or when its answer could not be kept. */
  answer: z
    .object({
      status: z.number(),
      headers: z.array(z.string()),
      body: z.string().nullable(),
      /** Which permissions decided what it shows, and whether the caller had them; absent in rows of earlier releases. */
      rightsAsked: z.record(z.string(), z.boolean()).optional(),
      /** Whether the command is in the log: run again it is found there, and not done again. */
      recorded: z.boolean().optional(),
    })
    .optional(),
});

/** What is kept of a request that came with an idempotency key. */
export type KeyRow = z.output<typeof row>;

export const withAnswer = (value: KeyRow, { answer, rightsAsked, recorded }: Omit<Outcome, 'uncertain'>): KeyRow => ({
  ...value,
  answer: {
    status: answer.status,
    headers: [...answer.headers],
    body: answer.body === undefined ? null : answer.body.toString(),
    rightsAsked: Object.fromEntries(rightsAsked),
    recorded,
  },
});

/** Whether an answer shows what it would show the caller by now. */
export const isShownTo = ({ permissions }: KeyedRequest, rightsAsked: Iterable<readonly [string, boolean]>): boolean =>
  [...rightsAsked].every(([permission, had]) => permissions.has(permission as Permission) === had);

/** What is given again. A success that would show its caller something else by now is made anew, where that does nothing again. */
export function answerFor(key: KeyedRequest, { answer }: KeyRow): KeyRow['answer'] {
  if (!answer || answer.status >= 300 || isShownTo(key, Object.entries(answer.rightsAsked ?? {}))) return answer;
  if (answer.recorded === true) return undefined;
  throw new Rejection(IDEMPOTENCY_KEY_REUSED, 'The key was used with other permissions');
}

/** The kept answer as it is given again. */
export function replayed({ status, headers, body }: NonNullable<KeyRow['answer']> | Answer): Answer {
  return { status, headers: [...headers, 'Idempotency-Replayed', 'true'], body: body ?? undefined };
}

export const keyWrite = (id: string, value: KeyRow, expected: VaultWrite['expected']): VaultWrite => ({
  kind: KIND,
  id,
  value,
  expected,
  expiresAt: value.claimedAt + KEPT_MILLISECONDS,
});

export const keyDeletion = (id: string, expected: number): VaultWrite => ({
  kind: KIND,
  id,
  value: undefined,
  expected,
});

export async function readKey(vault: Vault, id: string): Promise<{ value: KeyRow; version: number } | undefined> {
  const found = await vault.get(KIND, id);
  return found && { value: row.parse(found.value), version: found.version };
}
