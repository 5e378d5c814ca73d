import { z } from 'zod';
import type { Vault, VaultWrite } from '../../ports/vault.js';
import type { Answer } from '../exchange/exchange.js';

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
  answer: z.object({ status: z.number(), headers: z.array(z.string()), body: z.string().nullable() }).optional(),
});

/** What is kept of a request that came with an idempotency key. */
export type KeyRow = z.output<typeof row>;

export const withAnswer = (value: KeyRow, { status, headers, body }: Answer): KeyRow => ({
  ...value,
  answer: { status, headers: [...headers], body: body === undefined ? null : body.toString() },
});

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
