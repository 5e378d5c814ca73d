import type { Vault, VaultRow, VaultWrite } from '../../src/ports/vault.js';

/** A vault whose next write can be made to go wrong, and which may store the rows of a write one by one, as a server does. */
export class UnreliableVault implements Vault {
  /** The next write stores so many of its rows and then fails, as a crash or a broken connection would have it. */
  failAfterRows: number | undefined;
  /** Called before each write. */
  beforeWrite: (writes: readonly VaultWrite[]) => Promise<void> | void = () => undefined;

  constructor(
    private readonly vault: Vault,
    readonly atomic: boolean,
  ) {}

  async write(writes: readonly VaultWrite[]): Promise<boolean> {
    await this.beforeWrite(writes);
    const rows = this.failAfterRows;
    this.failAfterRows = undefined;
    if (rows !== undefined) {
      await this.store(writes.slice(0, rows));
      throw new Error('the connection broke');
    }
    return this.store(writes);
  }

  get(kind: string, id: string): Promise<VaultRow | undefined> {
    return this.vault.get(kind, id);
  }

  getMany(kind: string, ids: readonly string[]): Promise<readonly VaultRow[]> {
    return this.vault.getMany(kind, ids);
  }

  list(...call: Parameters<Vault['list']>): Promise<readonly VaultRow[]> {
    return this.vault.list(...call);
  }

  due(...call: Parameters<Vault['due']>): Promise<readonly VaultRow[]> {
    return this.vault.due(...call);
  }

  sweep(now: number): Promise<number> {
    return this.vault.sweep(now);
  }

  close(): Promise<void> {
    return this.vault.close();
  }

  private async store(writes: readonly VaultWrite[]): Promise<boolean> {
    if (this.atomic) return this.vault.write(writes);
    for (const write of writes) if (!(await this.vault.write([write]))) return false;
    return true;
  }
}
