import type { StoreFacts } from '../../contracts/feature.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { EventStore } from '../../../ports/event-store.js';
import type { Clock } from '../../../kernel/values/clock.js';
import type { FiscalAuthority } from '../../../ports/fiscal-authority.js';
import type { Vault } from '../../../ports/vault.js';
import type { SalesToTax } from '../../contracts/sales-to-tax.js';
import type { DocumentStore } from './document-store.js';
import type { DraftingServices } from './drafting.js';
import type { WorkRows } from './work-rows.js';

export interface IssuingServices extends DraftingServices {
  readonly vault: Vault;
  readonly eventStore: Pick<EventStore, 'storesRows'>;
  readonly clock: Clock;
  readonly sales: SalesToTax;
  readonly authority: FiscalAuthority;
  readonly authorityPatience?: number | undefined;
  readonly documents: DocumentStore;
  readonly work: WorkRows;
  /** Whether this process alone writes. */
  readonly alone: boolean;
  readonly onError: (error: unknown) => void;
}

export async function storeOf(services: IssuingServices, context: RequestContext): Promise<StoreFacts> {
  const store = await services.stores.byId(context.storeId);
  if (!store) throw new Error(`there is no store ${context.storeId}`);
  return store;
}
