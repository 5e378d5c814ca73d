import { boundedCache } from '../../../kernel/values/bounded-cache.js';

const CACHED = 10_000;
const STREAM = /^(stores$|access(?=-)|user(?=-))-?(.*)$/;

/** What a cached answer rests on. */
export interface CachedAccess {
  readonly storeId: string;
  /** Undefined for API keys. */
  readonly userId?: string;
}

/**
 * Credentials that were seen before. An answer is forgotten when a stream that it rests on changes, in this process before the change is answered;
 * where others write too, nothing is trusted that a live subscription has not confirmed within the last second.
 */
export class AccessCache<T extends CachedAccess> {
  private readonly cached = boundedCache<T>(CACHED);
  private changes = 0;

  constructor(
    /** Whether this process has heard of every change so far. */
    private readonly isCurrent: () => boolean,
  ) {}

  get size(): number {
    return this.cached.size;
  }

  /** The cached answer, or one that is looked up and kept unless something changed meanwhile. */
  get(credential: string, lookUp: () => Promise<T | undefined>): T | Promise<T | undefined> {
    const known = this.isCurrent() ? this.cached.get(credential) : undefined;
    return known ?? this.lookUp(credential, lookUp);
  }

  /** A stream has changed: what rests on it is forgotten. */
  streamChanged(stream: string): void {
    const [, category, id] = STREAM.exec(stream) ?? [];
    if (category === undefined) return;
    this.changes += 1;
    for (const [credential, { storeId, userId }] of this.cached.entries()) {
      const touched = category === 'stores' || id === (category === 'access' ? storeId : userId);
      if (touched) this.cached.delete(credential);
    }
  }

  private async lookUp(credential: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    const before = this.changes;
    const found = await lookUp();
    if (found && before === this.changes) this.cached.set(credential, found);
    return found;
  }
}
