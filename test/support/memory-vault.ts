import type { Vault, VaultRow, VaultWrite } from '../../src/ports/vault.js';
import { newVersion } from '../../src/ports/vault.js';

interface Kept extends VaultRow {
  readonly expiresAt: number | undefined;
}

/** A vault that forgets everything with its process; `now` decides what has expired. */
export class MemoryVault implements Vault {
  readonly atomic = true;
  private readonly rows = new Map<string, Kept>();

  constructor(private readonly now: () => number = Date.now) {}

  get(kind: string, id: string): Promise<VaultRow | undefined> {
    return Promise.resolve(this.find(kind, id));
  }

  getMany(kind: string, ids: readonly string[]): Promise<readonly VaultRow[]> {
    return Promise.resolve(this.ofKind(kind).filter(({ id }) => ids.includes(id)));
  }

  write(writes: readonly VaultWrite[]): Promise<boolean> {
    const asExpected = writes.every(({ kind, id, expected }) => {
      const version = this.find(kind, id)?.version ?? 'absent';
      return expected === 'any' || expected === version;
    });
    if (asExpected) for (const write of writes) this.apply(write);
    return Promise.resolve(asExpected);
  }

  list(kind: string, { after = '', prefix = '', limit }: Parameters<Vault['list']>[1]): Promise<readonly VaultRow[]> {
    const rows = this.ofKind(kind).filter(({ id }) => id > after && id.startsWith(prefix));
    return Promise.resolve(rows.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit));
  }

  due(kind: string, before: number, limit: number): Promise<readonly VaultRow[]> {
    const rows = this.ofKind(kind).filter(({ dueAt }) => dueAt !== undefined && dueAt <= before);
    return Promise.resolve(rows.sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0)).slice(0, limit));
  }

  sweep(now: number): Promise<number> {
    const gone = [...this.rows].filter(([, { expiresAt }]) => expiresAt !== undefined && expiresAt <= now);
    for (const [key] of gone) this.rows.delete(key);
    return Promise.resolve(gone.length);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private ofKind(kind: string): Kept[] {
    return [...this.rows.values()].filter((row) => row.kind === kind && this.find(kind, row.id) !== undefined);
  }

  private find(kind: string, id: string): Kept | undefined {
    const row = this.rows.get(`${kind}/${id}`);
    return row?.expiresAt !== undefined && row.expiresAt <= this.now() ? undefined : row;
  }

  private apply({ kind, id, value, firstVersion, dueAt, expiresAt }: VaultWrite): void {
    if (value === undefined) this.rows.delete(`${kind}/${id}`);
    else {
      const known = this.find(kind, id);
      const version = known === undefined ? (firstVersion ?? newVersion()) : known.version + 1;
      const kept: unknown = JSON.parse(JSON.stringify(value));
      const due = dueAt === undefined ? {} : { dueAt };
      this.rows.set(`${kind}/${id}`, { kind, id, version, value: kept, ...due, expiresAt });
    }
  }
}
