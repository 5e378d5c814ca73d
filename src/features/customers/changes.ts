import { Rejection, UNAVAILABLE } from '../../kernel/events/rejection.js';
import type { Recorded } from '../../kernel/events/event.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { streamName } from '../../kernel/events/decider.js';
import type { Vault } from '../../ports/vault.js';
import { claimDocument, claimRelease } from './document-reservations.js';
import type { CustomerCommand } from './decider.js';
import { customer, DocumentOutdated, expectLive } from './decider.js';
import type { CustomerEvent, Told } from './events.js';
import { keyOf, keyWrite, SearchKeys } from './keys.js';
import { CUSTOMER_ERASED, DOCUMENT_TAKEN } from './rejections.js';
import type { Person } from './sealing.js';
import { CustomerKey } from './sealing.js';
import { documentTerm } from './search-terms.js';

const CHANGE_TRIES = 10;
/** The command by which a request registers or changes a customer. */
const RECORDING = 'customer';

/** What happens to customers: values are sealed before they become facts, documents are claimed before and freed afterwards. */
export class CustomerChanges {
  private readonly searchKeys: SearchKeys;

  constructor(private readonly vault: Vault) {
    this.searchKeys = new SearchKeys(vault);
  }

  /** Undefined when an earlier run of the same request has registered the customer already; it must have named the claim alike. */
  async register(context: Commands, id: string, person: Person, claim?: string): Promise<Told | undefined> {
    const { storeId } = context;
    const claimId = person.document === null ? null : (claim ?? context.newId());
    // A repeat of a request whose customer was erased since must not bring anything back.
    if ((await context.current(customer, { id })).stage === 'erased') return undefined;
    const searchKey = await this.searchKeys.of(storeId);
    if (person.document !== null && claimId !== null && !(await recordedBefore(context, id)))
      await this.claim(context, searchKey, person.document, id, claimId);
    // What an earlier run sealed needs its key.
    const known = await keyOf(this.vault, storeId, id);
    const key = known ?? CustomerKey.fresh(id);
    const rows = known ? [] : [keyWrite(storeId, id, key)];
    const data = { id, ...key.seal(person), claimId };
    const { events } = await context.execute(customer, { type: 'register', data }, { id, rows, name: RECORDING });
    return events.find(tells);
  }

  /** What was recorded, by this run or by an earlier one of the same request; undefined when it changes nothing. */
  async change(context: RequestContext, id: string, changes: Partial<Person>): Promise<Told | undefined> {
    const claimId = changes.document ? context.newId() : null;
    // The customer may have changed since: what a repeat would claim or free is not its own any more.
    const earlier = await context.earlierEvents(customer, RECORDING, streamOf(context, id));
    if (earlier) return earlier.find(tells);
    for (let tries = 1; ; tries++) {
      try {
        return await this.changeAsKnown(context, id, changes, claimId);
      } catch (error) {
        if (!(error instanceof DocumentOutdated)) throw error;
        if (tries === CHANGE_TRIES) throw new Rejection(UNAVAILABLE, 'The record changes too fast; try again');
      }
    }
  }

  /** Throws DocumentOutdated where the document is another one by the time of the decision. */
  private async changeAsKnown(
    context: RequestContext,
    id: string,
    changes: Partial<Person>,
    claimId: string | null,
  ): Promise<Told | undefined> {
    const { storeId, ifMatch } = context;
    const before = expectLive(await context.current(customer, { id }));
    const key = await keyOf(this.vault, storeId, id);
    if (!key) throw new Rejection(CUSTOMER_ERASED);
    const sealed = key.seal(changes);
    const known = sealed.document === undefined ? {} : { documentBefore: before.document };
    const change = async (command: Extract<CustomerCommand, { type: 'change' }>['changes']) => {
      const named = { id, name: RECORDING };
      const { events } = await context.execute(
        customer,
        { type: 'change', changes: command, ...known, ifMatch },
        named,
      );
      return events.find(tells);
    };
    if (sealed.document === undefined || sealed.document === before.document) return change(sealed);
    const searchKey = await this.searchKeys.of(storeId);
    if (changes.document && claimId !== null) await this.claim(context, searchKey, changes.document, id, claimId);
    let changed: Told | undefined;
    try {
      changed = await change({ ...sealed, claimId });
    } catch (error) {
      if (error instanceof Rejection || error instanceof DocumentOutdated)
        await this.release(storeId, searchKey, changes.document, claimId);
      throw error;
    }
    await this.release(storeId, searchKey, key.open(before).document, before.claimId);
    return changed;
  }

  private async claim(
    context: Commands,
    searchKey: Buffer,
    document: string,
    customerId: string,
    claimId: string,
  ): Promise<void> {
    const term = documentTerm(searchKey, document);
    if (!(await claimDocument(context, this.vault, term, { customerId, claimId }))) throw new Rejection(DOCUMENT_TAKEN);
  }

  private async release(
    storeId: string,
    searchKey: Buffer,
    document: string | null | undefined,
    claimId: string | null,
  ): Promise<void> {
    if (!document) return;
    const write = await claimRelease(this.vault, storeId, documentTerm(searchKey, document), claimId);
    if (write) await this.vault.write([write]);
  }
}

const streamOf = ({ storeId }: Commands, id: string): string => streamName(customer.category, storeId, id);

/** Whether an earlier run of the same request has done what it is to do. */
const recordedBefore = (context: Commands, id: string): Promise<boolean> =>
  context.recordedBefore(customer, RECORDING, streamOf(context, id));

const tells = (event: Recorded<CustomerEvent>): event is Told =>
  event.type === 'CustomerRegistered' || event.type === 'CustomerChanged';
