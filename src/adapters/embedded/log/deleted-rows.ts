import type { VaultWrite } from '../../../ports/vault.js';

export type OnDeleted = (rows: readonly Pick<VaultWrite, 'kind' | 'id'>[]) => Promise<void>;

/** Undefined when none of the writes deleted anything that somebody wants to know of. */
export function tellDeleted(
  writes: readonly VaultWrite[],
  onDeleted: OnDeleted | undefined,
): Promise<void> | undefined {
  if (!onDeleted) return undefined;
  const deleted = writes.filter(({ value }) => value === undefined);
  return deleted.length === 0 ? undefined : onDeleted(deleted);
}
