import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/values/clock.js';
import type { StoreFacts } from '../../contracts/feature.js';

/**
 * Refusals that are about a store's certificate or settings and would meet every document of it: 213 names another company in the
 * certificate, 252 and 410 another environment or authority, 280 to 286 the certificate of who asks, 290 to 298 that of who signed.
 */
export const isSetupFault = (code: string): boolean =>
  ['213', '252', '410'].includes(code) || /^(28[0-6]|29[0-8])$/.test(code);

const STORES = 1_000;
/** One document an hour tries whether it was mended elsewhere; new settings are tried at once. */
const TRIED_AGAIN_AFTER = 3_600_000;

const setupOf = ({ taxId, fiscal: { environment, certificate, address } }: StoreFacts): string =>
  JSON.stringify([taxId, environment, certificate?.fingerprint, address?.state]);

/** The stores whose waiting documents are not sent, because the authority would refuse each of them for the same reason. */
export class SetupFaults {
  private readonly known = new LRUCache<string, { readonly setup: string; readonly until: number }>({ max: STORES });

  constructor(private readonly clock: Clock) {}

  note(store: StoreFacts): void {
    this.known.set(store.id, { setup: setupOf(store), until: this.clock.now() + TRIED_AGAIN_AFTER });
  }

  /** Whether its settings are still those with which it was refused. */
  holds(store: StoreFacts): boolean {
    const found = this.known.get(store.id);
    return found?.setup === setupOf(store) && this.clock.now() < found.until;
  }
}
