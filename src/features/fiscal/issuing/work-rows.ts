import { z } from 'zod';
import type { Clock } from '../../../kernel/values/clock.js';
import { rowPagesOf } from '../../../kernel/patterns/vault-rows.js';
import { timeOfId } from '../../../kernel/values/ids.js';
import type { Vault, VaultRow, VaultWrite } from '../../../ports/vault.js';

export const FISCAL_WORK = 'fiscal-work';
const BATCH = 100;
const PAGE = 1_000;
const value = z.object({
  storeId: z.string(),
  documentId: z.string(),
  saleId: z.string(),
  /** When it began to wait; absent in rows of earlier releases, of which the document's own time says it. */
  since: z.number().optional(),
  /** How often it was tried in vain. */
  tries: z.int().optional(),
  /** How often the authority was asked about it in vain; rows of earlier releases count that among the others. */
  asks: z.int().optional(),
  /** Its present text is certain not to have left yet. */
  unsent: z.boolean().optional(),
  /** When the authority first said that it has nothing under the key. */
  absentSince: z.number().optional(),
  /** The authority said that the time to cancel it is over. */
  tooLate: z.boolean().optional(),
  /** When it last came sooner than planned, because the authority answered again. */
  hurriedAt: z.number().optional(),
});

export type Work = z.output<typeof value>;

/** While one process is at a document, others leave it alone for so long: longer than an authority takes for two answers. */
const LEASE = 150_000;
const SECOND = 1_000;
/** What comes within this time is soon enough. */
const SOON = 60_000;
/** Nine questions an hour are planned; one more is allowed. */
const HURRIED_ONCE_IN = 3_600_000;
/** Where it was asked: an authority blocks who asks about one key more than ten times an hour. */
const AFTER_ASKING = [5, 30, 120, 600].map((seconds) => seconds * SECOND);
/** Where the store's settings were refused. */
const AFTER_REFUSAL = [60, 60, 300].map((seconds) => seconds * SECOND);
/** Where nothing left. */
const AFTER_NOTHING = [10, 20, 30, 60].map((seconds) => seconds * SECOND);
/** Nothing that was tried is put off for longer. */
const LONGEST = Math.max(LEASE, ...AFTER_ASKING, ...AFTER_REFUSAL, ...AFTER_NOTHING);
const PLANS = { asking: AFTER_ASKING, refusal: AFTER_REFUSAL, nothing: AFTER_NOTHING };

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
    const now = this.clock.now();
    return { kind: FISCAL_WORK, id: idOf(work), value: { ...work, since: now }, expected: 'any', dueAt: now + LEASE };
  }

  /**
   * Who holds the row already goes on later: the later, the more often it was in vain. What waited long to be sent is asked about as soon as
   * anything else: questions are counted apart.
   */
  async postpone(work: Work, after: keyof typeof PLANS): Promise<void> {
    const { tries = 0, asks = tries, unsent = false } = work;
    const plan = PLANS[after];
    const now = this.clock.now();
    const isAsking = after === 'asking';
    const dueAt = now + (plan[Math.min(isAsking ? asks : tries, plan.length - 1)] ?? 0);
    const counted = isAsking ? { tries, asks: asks + 1 } : { tries: tries + 1, asks };
    const again = { ...work, since: work.since ?? now, unsent, ...counted };
    await this.vault.write([{ kind: FISCAL_WORK, id: idOf(work), value: again, expected: 'any', dueAt }]);
  }

  /** The authority answers a store again: what waits long to be asked about is due now, unless it came sooner already within the hour. */
  async hurry(storeId: string): Promise<void> {
    const now = this.clock.now();
    const rows = await this.vault.list(FISCAL_WORK, { prefix: `${storeId}/`, limit: PAGE });
    const hurried = rows.flatMap(({ id, version, dueAt = 0, value: stored }) => {
      const work = value.parse(stored);
      // Somebody is at those that do not say whether their text has left.
      const isAsking = work.unsent === false && dueAt - now > SOON;
      if (!isAsking || now - (work.hurriedAt ?? 0) < HURRIED_ONCE_IN) return [];
      return [{ kind: FISCAL_WORK, id, value: { ...work, hurriedAt: now }, expected: version, dueAt: now }];
    });
    // Each alone: another process may be faster with one of them.
    for (const row of hurried) await this.vault.write([row]);
  }

  async done(work: Pick<Work, 'storeId' | 'documentId'>): Promise<void> {
    await this.vault.write([this.noRow(work)]);
  }

  /** To be asked before the fact that ends the work: who begins it anew after that writes the row again. */
  async versionOf(work: Pick<Work, 'storeId' | 'documentId'>): Promise<number | undefined> {
    return (await this.vault.get(FISCAL_WORK, idOf(work)))?.version;
  }

  /** Ends the work unless somebody has begun it anew. */
  async doneAsOf(work: Pick<Work, 'storeId' | 'documentId'>, version: number | undefined): Promise<void> {
    if (version !== undefined) await this.vault.write([{ ...this.noRow(work), expected: version }]);
  }

  /** To be stored with the fact that ends the work. */
  noRow(work: Pick<Work, 'storeId' | 'documentId'>): VaultWrite {
    return { kind: FISCAL_WORK, id: idOf(work), value: undefined, expected: 'any' };
  }

  /**
   * What is due, the oldest documents first; each must be taken before it is worked on. After a start of the only process nobody is at any of
   * them: it need not wait until leases end.
   */
  async due(after?: 'start'): Promise<readonly VaultRow[]> {
    if (after === 'start') await this.bringForward();
    const before = this.clock.now() + (after === 'start' ? LEASE : 0);
    const rows = await this.vault.due(FISCAL_WORK, before, BATCH);
    return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Documents of a store of which nothing has left and nobody is at, the oldest first; not all where there are very many. */
  async unsentOf(storeId: string): Promise<readonly VaultRow[]> {
    const rows = await this.vault.list(FISCAL_WORK, { prefix: `${storeId}/`, limit: PAGE });
    return rows.filter(isUnsent);
  }

  /** How many documents have waited since before a moment: a cancellation is not late because its document is old. */
  async waitingSince(moment: number): Promise<number> {
    let found = 0;
    for await (const rows of rowPagesOf(this.vault, FISCAL_WORK))
      found += rows.filter((row) => sinceOf(row) < moment).length;
    return found;
  }

  /**
   * What was put off by a clock that was ahead and has been set right since would wait until the time that it showed. What began before now and
   * was never tried waits for so long because it is meant to.
   */
  private async bringForward(): Promise<void> {
    const now = this.clock.now();
    for await (const rows of rowPagesOf(this.vault, FISCAL_WORK)) {
      for (const { id, version, dueAt = 0, value: stored } of rows) {
        const { absentSince: _, hurriedAt: __, ...work } = value.parse(stored);
        const { since = now, tries = 0, asks = tries } = work;
        const isPutOff = since > now || tries > 0 || asks > 0;
        if (dueAt <= now + LONGEST || !isPutOff) continue;
        const again = { ...work, since: Math.min(since, now) };
        await this.vault.write([{ kind: FISCAL_WORK, id, value: again, expected: version, dueAt: now }]);
      }
    }
  }

  /** Takes what no other process is at; false where one is. */
  async takeFree(work: Pick<Work, 'storeId' | 'documentId'>): Promise<boolean> {
    const row = await this.vault.get(FISCAL_WORK, idOf(work));
    if (!row) return true;
    // Whoever is at it has not said yet whether its text has left.
    const isFree = value.parse(row.value).unsent !== undefined || (row.dueAt ?? 0) <= this.clock.now();
    return isFree && (await this.take(row)) !== undefined;
  }

  /** Undefined when another process was faster. */
  async take({ id, version, value: stored }: VaultRow): Promise<Work | undefined> {
    const dueAt = this.clock.now() + LEASE;
    const work = value.parse(stored);
    // From now on it may leave, and a crash would not tell.
    const { unsent: _, ...kept } = work;
    const taken = await this.vault.write([{ kind: FISCAL_WORK, id, value: kept, expected: version, dueAt }]);
    return taken ? work : undefined;
  }
}

/** The work on a document whose facts alone are known: the authority is asked before anything is sent. */
export const workFrom = (work: Pick<Work, 'storeId' | 'documentId' | 'saleId'>, dueAt: number): VaultWrite => ({
  kind: FISCAL_WORK,
  id: idOf(work),
  value: work,
  expected: 'absent',
  dueAt,
});

const sinceOf = ({ id, value: stored }: VaultRow): number =>
  value.parse(stored).since ?? timeOfId(id.split('/')[1] ?? '');

export const isUnsent = ({ value: stored }: VaultRow): boolean => value.parse(stored).unsent === true;

const idOf = ({ storeId, documentId }: Pick<Work, 'storeId' | 'documentId'>): string => `${storeId}/${documentId}`;
