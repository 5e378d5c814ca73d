import type { Vault, VaultRow } from '../../ports/vault.js';

const PAGE = 1_000;

/** All rows of a kind whose ids begin so. */
export async function rowsOf(vault: Vault, kind: string, prefix: string): Promise<readonly VaultRow[]> {
  const found: VaultRow[] = [];
  for (;;) {
    const after = found.at(-1)?.id;
    const page = await vault.list(kind, { prefix, limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const row of page) found.push(row);
    if (page.length < PAGE) return found;
  }
}
