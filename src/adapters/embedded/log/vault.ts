import type { Clock } from '../../../kernel/values/clock.js';
import type { Vault, VaultRow, VaultWrite } from '../../../ports/vault.js';
import { newVersion } from '../../../ports/vault.js';
import type { LogClient } from './client.js';
import type { OnDeleted } from './deleted-rows.js';
import { tellDeleted } from './deleted-rows.js';
import type { ReadRequest, RowRequest, VaultRowRead, WriteRequest } from './protocol.js';
import { ABSENT, ANY, DONE } from './protocol.js';
import type { LogReads } from './reader-link.js';

const SWEPT_AT_ONCE = 1_000;

/** What the rows of a write are for the log worker, and how much they take up. */
export function rowRequests(writes: readonly VaultWrite[]): {
  readonly rows: readonly RowRequest[];
  readonly bytes: number;
} {
  let bytes = 0;
  const rows = writes.map(({ kind, id, value, expected, firstVersion, dueAt, expiresAt }): RowRequest => {
    const json = value === undefined ? null : jsonOf(value);
    bytes += json?.length ?? 0;
    const version = expected === 'absent' ? ABSENT : expected === 'any' ? ANY : expected;
    return [kind, id, json, version, dueAt ?? null, expiresAt ?? null, firstVersion ?? newVersion()];
  });
  return { rows, bytes };
}

function jsonOf(value: unknown): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError(`a vault row cannot keep a ${typeof value}`);
  return json;
}

/** The vault in `events.db`: its writes share the transactions of the appends. */
export class EmbeddedVault implements Vault {
  readonly atomic = true;

  constructor(
    private readonly client: LogClient,
    private readonly reads: LogReads,
    private readonly clock: Clock,
    private readonly onDeleted?: OnDeleted,
  ) {}

  async get(kind: string, id: string): Promise<VaultRow | undefined> {
    const [row] = await this.ask(kind, ['row', kind, id, this.clock.now()]);
    return row;
  }

  getMany(kind: string, ids: readonly string[]): Promise<readonly VaultRow[]> {
    return this.ask(kind, ['many', kind, JSON.stringify(ids), this.clock.now()]);
  }

  async write(writes: readonly VaultWrite[]): Promise<boolean> {
    if (writes.length === 0) return true;
    const { rows, bytes } = rowRequests(writes);
    const [what] = await this.send(['rows', rows], bytes);
    if (what === DONE) await tellDeleted(writes, this.onDeleted);
    return what === DONE;
  }

  list(kind: string, { after = '', prefix = '', limit }: Parameters<Vault['list']>[1]): Promise<readonly VaultRow[]> {
    return this.ask(kind, ['rows', kind, after, prefix, limit, this.clock.now()]);
  }

  due(kind: string, before: number, limit: number): Promise<readonly VaultRow[]> {
    return this.ask(kind, ['due', kind, before, limit, this.clock.now()]);
  }

  async sweep(now: number): Promise<number> {
    for (let swept = 0; ;) {
      const [, count] = await this.send(['sweep', now, SWEPT_AT_ONCE], 0);
      swept += count;
      if (count < SWEPT_AT_ONCE) return swept;
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private send(request: WriteRequest, bytes: number): Promise<readonly [number, number]> {
    return new Promise((resolve, reject) => {
      this.client.write(request, bytes, resolve, reject);
    });
  }

  private async ask(kind: string, request: ReadRequest): Promise<readonly VaultRow[]> {
    const { rows } = await this.reads.ask(request);
    return (rows as readonly VaultRowRead[]).map(([id, version, json, dueAt]) => {
      const value = JSON.parse(json) as unknown;
      return dueAt === null ? { kind, id, version, value } : { kind, id, version, value, dueAt };
    });
  }
}
