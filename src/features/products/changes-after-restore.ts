import { metaOf } from '../../kernel/events/recorded.js';
import { rowOf, STEPS_TAKE } from '../../kernel/reactors/work-line.js';
import type { StoredEvent } from '../../ports/event-store.js';
import type { VaultWrite } from '../../ports/vault.js';
import { kits } from './kit-decider.js';
import { product } from './decider.js';
import { PRODUCT_CHANGES } from './unfinished-changes.js';

const OF_STOCK: ReadonlySet<string> = new Set([
  'VariantsRetired',
  'VariantsRestored',
  'StockKeepingEnded',
  'StockKeepingResumed',
]);

const STREAMS = [product, kits].map(({ category }) => `${category}-`);

interface Told {
  readonly productId?: string;
  readonly variantIds?: readonly string[];
  readonly variant?: { readonly id: string };
  readonly variants?: readonly { readonly id: string }[];
  readonly hold?: { readonly id: string };
}

interface Change {
  readonly storeId: string;
  readonly productId: string;
  readonly hold?: string | undefined;
  readonly at: number;
}

/**
 * Products that changed right before the moment to which a log was restored: of the steps of such a change, each in a stream of its own,
 * it may have kept the first ones alone.
 */
export class ChangesAfterRestore {
  private readonly productOf = new Map<string, string>();
  /** By product, and by hold. */
  private readonly lastChanges = new Map<string, Change>();
  private last: StoredEvent | undefined;

  add(stored: StoredEvent): void {
    this.last = stored;
    const { stream, type, data } = stored;
    if (OF_STOCK.has(type)) {
      const { variantIds = [], hold } = JSON.parse(data) as Told;
      for (const id of variantIds) this.note(this.productOf.get(id), stored, hold?.id);
    } else if (STREAMS.some((prefix) => stream.startsWith(prefix))) {
      const { productId, hold, variant, variants = variant ? [variant] : [] } = JSON.parse(data) as Told;
      this.note(productId, stored, hold?.id);
      if (productId !== undefined) for (const { id } of variants) this.productOf.set(id, productId);
    }
  }

  /** Has them looked at, as after a crash. */
  rows(now: number): readonly VaultWrite[] {
    const since = this.last ? atOf(this.last) - STEPS_TAKE : 0;
    return [...this.lastChanges].flatMap(([id, { at, ...task }]) => {
      if (at < since) return [];
      return [rowOf({ name: PRODUCT_CHANGES }, { id, line: '', task, dueAt: now }, 'absent')];
    });
  }

  private note(productId: string | undefined, stored: StoredEvent, hold?: string): void {
    const { storeId } = metaOf(stored);
    if (productId === undefined || storeId === null) return;
    this.lastChanges.set(hold ?? productId, { storeId, productId, hold, at: atOf(stored) });
  }
}

const atOf = (stored: StoredEvent): number => Date.parse(metaOf(stored).at);
