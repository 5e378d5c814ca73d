import type { Vault, VaultRow } from '../../ports/vault.js';

const PAGE = 1_000;

/** All rows of a kind, page by page; those whose ids begin so, where a prefix is given. */
export async function* rowPagesOf(vault: Vault, kind: string, prefix?: string): AsyncGenerator<readonly VaultRow[]> {
  const among = prefix === undefined ? {} : { prefix };
  for (let after: string | undefined; ;) {
    const page = await vault.list(kind, { ...among, limit: PAGE, ...(after === undefined ? {} : { after }) });
    yield page;
    after = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}

/** All rows of a kind whose ids begin so. */
export async function rowsOf(vault: Vault, kind: string, prefix: string): Promise<readonly VaultRow[]> {
  const found: VaultRow[] = [];
  for await (const page of rowPagesOf(vault, kind, prefix)) for (const row of page) found.push(row);
  return found;
}
