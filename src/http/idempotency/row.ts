import { z } from 'zod';
import type { Vault, VaultWrite } from '../../ports/vault.js';
import type { Answer } from '../exchange/exchange.js';
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
  /** Absent while the request runs, or when its answer could not be kept. */
  answer: z
    .object({
      status: z.number(),
      headers: z.array(z.string()),
      body: z.string().nullable(),
      /** Of whom it was made for; absent in rows of earlier releases. */
      rights: z.string().optional(),
    })
    .optional(),
});

/** What is kept of a request that came with an idempotency key. */
export type KeyRow = z.output<typeof row>;

export const withAnswer = (value: KeyRow, { status, headers, body }: Answer, rights: string): KeyRow => ({
  ...value,
  answer: { status, headers: [...headers], body: body === undefined ? null : body.toString(), rights },
});

/** What is given again: a success that was made for other rights may show what the caller may no longer see, and is made anew. */
export function answerFor({ rights }: KeyedRequest, { answer }: KeyRow): KeyRow['answer'] {
  const isForOthers = answer?.rights !== undefined && answer.rights !== rights && answer.status < 300;
  return isForOthers ? undefined : answer;
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
