import { z } from 'zod';
import type { Clock } from '../../../kernel/values/clock.js';
import type { Vault, VaultRow, VaultWrite } from '../../../ports/vault.js';

const KIND = 'fiscal-work';
const BATCH = 100;
const value = z.object({ storeId: z.string(), documentId: z.string(), saleId: z.string() });

export type Work = z.output<typeof value>;

/** While one process is at a document, others leave it alone for so long. */
const LEASE = 60_000;

/**
 * What is still to be done of documents: a row stands from before the first fact until the document is where it stays for now, so that no
 * crash leaves one without its end.
 */
export class WorkRows {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** To be stored with the fact that begins the work. */
  row(work: Work): VaultWrite {
    return { kind: KIND, id: idOf(work), value: work, expected: 'any', dueAt: this.clock.now() + LEASE };
  }

  /** Who holds the row already goes on later. */
  async postpone(work: Work, milliseconds: number): Promise<void> {
    const dueAt = this.clock.now() + milliseconds;
    await this.vault.write([{ kind: KIND, id: idOf(work), value: work, expected: 'any', dueAt }]);
  }

  async done(work: Work): Promise<void> {
    await this.vault.write([{ kind: KIND, id: idOf(work), value: undefined, expected: 'any' }]);
  }

  /** What is due, the oldest documents first; each must be taken before it is worked on. */
  async due(): Promise<readonly VaultRow[]> {
    const rows = await this.vault.due(KIND, this.clock.now(), BATCH);
    return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Undefined when another process was faster. */
  async take({ id, version, value: stored }: VaultRow): Promise<Work | undefined> {
    const dueAt = this.clock.now() + LEASE;
    const work = value.parse(stored);
    const taken = await this.vault.write([{ kind: KIND, id, value: work, expected: version, dueAt }]);
    return taken ? work : undefined;
  }
}

const idOf = ({ storeId, documentId }: Work): string => `${storeId}/${documentId}`;
