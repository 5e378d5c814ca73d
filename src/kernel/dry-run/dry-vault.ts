import type { Vault, VaultRow, VaultWrite } from '../../ports/vault.js';
import { newVersion } from '../../ports/vault.js';

const keyOf = (kind: string, id: string): string => JSON.stringify([kind, id]);

/** The vault as it would be after a run: reads it, and keeps what is written to itself, but for what counts tries. */
export class DryVault implements Vault {
  readonly atomic: boolean;
  /** What was written; undefined where it was deleted. */
  private readonly written = new Map<string, VaultRow | undefined>();
  private ended = false;

  constructor(
    private readonly vault: Vault,
    /** Kinds of rows that are written all the same. */
    private readonly counting: ReadonlySet<string> = new Set(),
  ) {
    this.atomic = vault.atomic;
  }

  /** What still runs after the answer finds nothing any more. */
  end(): void {
    this.ended = true;
    this.written.clear();
  }

  async get(kind: string, id: string): Promise<VaultRow | undefined> {
    if (this.ended) return undefined;
    const key = keyOf(kind, id);
    return this.written.has(key) ? this.written.get(key) : this.vault.get(kind, id);
  }

  async getMany(kind: string, ids: readonly string[]): Promise<readonly VaultRow[]> {
    if (this.ended) return [];
    const untouched = ids.filter((id) => !this.written.has(keyOf(kind, id)));
    const found = untouched.length === 0 ? [] : await this.vault.getMany(kind, untouched);
    return [...found, ...ids.flatMap((id) => this.written.get(keyOf(kind, id)) ?? [])];
  }

  async write(writes: readonly VaultWrite[]): Promise<boolean> {
    if (writes.every(({ kind }) => this.counting.has(kind))) return this.vault.write(writes);
    const before = this.ended ? [] : await Promise.all(writes.map(({ kind, id }) => this.get(kind, id)));
    if (this.ended) return true;
    const known = writes.map(({ kind, id }, index) => {
      const key = keyOf(kind, id);
      return this.written.has(key) ? this.written.get(key) : before[index];
    });
    const isAsExpected = ({ expected }: VaultWrite, index: number) =>
      expected === 'any' || expected === (known[index]?.version ?? 'absent');
    if (!writes.every(isAsExpected)) return false;
    for (const [index, { kind, id, value, firstVersion, dueAt }] of writes.entries()) {
      const earlier = known[index];
      const version = earlier === undefined ? (firstVersion ?? newVersion()) : earlier.version + 1;
      const row = { kind, id, version, value, ...(dueAt === undefined ? {} : { dueAt }) };
      this.written.set(keyOf(kind, id), value === undefined ? undefined : row);
    }
    return true;
  }

  async list(
    kind: string,
    options: { readonly after?: string; readonly prefix?: string; readonly limit: number },
  ): Promise<readonly VaultRow[]> {
    if (this.ended) return [];
    const { after = '', prefix = '', limit } = options;
    const found = await this.vault.list(kind, { ...options, limit: limit + this.written.size });
    const changed = [...this.written.values()].filter(
      (row) => row?.kind === kind && row.id > after && row.id.startsWith(prefix),
    ) as VaultRow[];
    return [...found.filter(({ id }) => !this.written.has(keyOf(kind, id))), ...changed]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  /** Nothing that waits is ever worked on. */
  due(): Promise<readonly VaultRow[]> {
    return Promise.resolve([]);
  }

  sweep(): Promise<number> {
    return Promise.resolve(0);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
