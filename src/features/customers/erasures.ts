import { z } from 'zod';
import type { Commands } from '../../kernel/lanes/commands.js';
import type { BackgroundWork } from '../../kernel/reactors/background.js';
import type { LookServices } from '../../kernel/reactors/second-look.js';
import { SecondLook } from '../../kernel/reactors/second-look.js';
import { RowConflict } from '../../ports/event-store.js';
import { customer } from './decider.js';
import { claimRelease } from './document-reservations.js';
import type { CustomerRef } from './keys.js';
import { keyDestruction, keyOf, SearchKeys } from './keys.js';
import { documentTerm } from './search-terms.js';

const TRIES = 10;

const erasureTask = z.object({ storeId: z.string(), customerId: z.string() });

/** Ends what is known of customers. A row stored before the fact makes sure of the key's end, also when the process ends between the two. */
export class CustomerErasures {
  private readonly searchKeys: SearchKeys;
  private readonly secondLook: SecondLook<CustomerRef>;

  constructor(private readonly services: LookServices) {
    this.searchKeys = new SearchKeys(services.vault);
    this.secondLook = new SecondLook(
      {
        name: 'customer-erasures',
        task: erasureTask,
        idOf: ({ customerId }) => customerId,
        finish: (context, task) => this.finish(context, task),
      },
      services,
    );
  }

  /** Destroys the key, and with it what every event and read model holds of the person. */
  async erase(context: Commands, id: string): Promise<void> {
    const { vault } = this.services;
    const { storeId } = context;
    for (let tries = 1; ; tries++) {
      const { data } = await context.current(customer, { id });
      const key = await keyOf(vault, storeId, id);
      const document = key && data && key.open(data).document;
      const release = document ? await this.releaseOf(storeId, document, data.claimId) : undefined;
      // In this order: where rows are no transaction, nothing after a row that is not as expected is written.
      const look = this.secondLook.row(context, { storeId, customerId: id });
      const rows = [look, ...(release ? [release] : []), keyDestruction(storeId, id)];
      try {
        await context.execute(customer, { type: 'erase', id }, { id, ...(data ? { rows } : {}) });
        // Where rows go after the events, a crash or a document that was changed meanwhile has left the key.
        if (!data) await vault.write([keyDestruction(storeId, id)]);
        return;
      } catch (error) {
        // The document was changed meanwhile.
        if (!(error instanceof RowConflict) || tries === TRIES) throw error;
      }
    }
  }

  get background(): BackgroundWork {
    return this.secondLook.background;
  }

  private async releaseOf(storeId: string, document: string, claimId: string | null) {
    const { vault } = this.services;
    return claimRelease(vault, storeId, documentTerm(await this.searchKeys.of(storeId), document), claimId);
  }

  /** An erasure that was not recorded is none. */
  private async finish(context: Commands, { storeId, customerId }: CustomerRef): Promise<void> {
    const { vault } = this.services;
    const { stage } = await context.current(customer, { id: customerId });
    if (stage === 'erased' && (await keyOf(vault, storeId, customerId)))
      await vault.write([keyDestruction(storeId, customerId)]);
  }
}
