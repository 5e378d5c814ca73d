import { z } from 'zod';
import { isRecent } from '../../kernel/patterns/reservations.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import type { Vault, VaultRow, VaultWrite } from '../../ports/vault.js';
import { confirms, customer } from './decider.js';

/**
 * Who has which document in a store: a row of the vault whose id tells nothing without the store's key, and which goes when its
 * customer is erased. A row counts while its customer's stream confirms it.
 */

const KIND = 'customer-document';

const claim = z.object({ customerId: z.string(), claimId: z.string(), heldAt: z.string() });

interface Claimant {
  readonly customerId: string;
  readonly claimId: string;
}

const rowId = (storeId: string, term: string): string => `${storeId}/${term}`;

async function holderOf(vault: Vault, id: string) {
  const row = await vault.get(KIND, id);
  return row && { row, ...claim.parse(row.value) };
}

/**
 * False when a customer has it, or is just taking it. What a crash left behind is taken over: its claim is dropped first, so that a
 * confirmation that comes after all is refused.
 */
export async function claimDocument(context: Commands, vault: Vault, term: string, by: Claimant): Promise<boolean> {
  const id = rowId(context.storeId, term);
  for (;;) {
    const held = await holderOf(vault, id);
    if (held?.claimId === by.claimId) return true;
    if (held && (await isAlive(context, held))) return false;
    const value = { ...by, heldAt: context.at };
    if (await vault.write([{ kind: KIND, id, value, expected: held?.row.version ?? 'absent' }])) return true;
  }
}

async function isAlive(context: Commands, { customerId, claimId, heldAt }: z.output<typeof claim>): Promise<boolean> {
  const before = await context.current(customer, { id: customerId });
  if (confirms(before, claimId)) return true;
  const mayConfirm = before.stage !== 'erased' && !before.droppedClaims.has(claimId);
  if (mayConfirm && isRecent(heldAt, context.at)) return true;
  await context.execute(customer, { type: 'dropClaim', id: customerId, claimId }, { id: customerId });
  return confirms(await context.current(customer, { id: customerId }), claimId);
}

const deletion = ({ id, version }: VaultRow): VaultWrite => ({ kind: KIND, id, value: undefined, expected: version });

/** Frees a document; undefined when this claim does not hold it. */
export async function claimRelease(
  vault: Vault,
  storeId: string,
  term: string,
  claimId: string | null,
): Promise<VaultWrite | undefined> {
  const held = await holderOf(vault, rowId(storeId, term));
  return held && held.claimId === claimId ? deletion(held.row) : undefined;
}
