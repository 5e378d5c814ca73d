import type { DomainEvent } from '../../kernel/events/event.js';
import type { PositionTokens } from '../../kernel/routes/position-tokens.js';
import type { Principal } from '../../kernel/routes/request-context.js';
import type { OpenStream } from '../../kernel/routes/route.js';
import { batchesOf } from '../../kernel/values/batches.js';
import type { Position, StoredEvent } from '../../ports/event-store.js';
import type { LiveChanges } from '../contracts/live-changes.js';
import type { HeardEvent } from './heard-events.js';
import { heardEvent, kindsOf } from './heard-events.js';
import { beginning, reset } from './message.js';
import { StoreChanges } from './store-changes.js';
import type { Viewing } from './watcher.js';
import { Watcher } from './watcher.js';

/** A watcher who comes back within this time hears what it missed. */
const REMEMBERED = 5 * 60_000;
const CHECKED_AT_ONCE = 100;

export interface LiveFeedServices {
  readonly viewing: Viewing;
  /** Whether an event may take away what somebody was admitted for. */
  isRevocation(event: DomainEvent): boolean;
  /** What somebody who was admitted may do now; undefined once that is nothing. */
  readmit(principal: Principal): Promise<Principal | undefined>;
  /** Everything that was written in a store up to it has been heard. */
  heardUpTo(storeId: string): Position;
  readonly tokens: PositionTokens;
  isPosition(token: string): boolean;
  onError(error: unknown): void;
}

/** Tells the watchers of stores what changes in them, and ends the connections of those whose credential opens nothing any more. */
export class LiveFeed implements LiveChanges {
  private readonly stores = new Map<string, StoreChanges>();
  private readonly forgetting = new Map<string, NodeJS.Timeout>();
  private closed = false;

  constructor(private readonly services: LiveFeedServices) {}

  watch(principal: Principal, lastEventId: string | undefined, stream: OpenStream): void {
    if (this.closed) {
      stream.end();
      return;
    }
    const { storeId } = principal;
    const changes = this.changesOf(storeId);
    const watcher = new Watcher(principal, stream, this.services.viewing, (idle) => {
      this.check([idle]);
    });
    this.welcome(watcher, changes, lastEventId);
    changes.join(watcher);
    // What was revoked since it was admitted was heard before it was there.
    this.check([watcher]);
    stream.once('close', () => {
      changes.leave(watcher);
      if (!changes.watched) this.forgetLater(storeId);
    });
  }

  /** To be told of every event, after those who keep credentials were. */
  hear(event: HeardEvent, position: Position): void {
    if (this.stores.size === 0) return;
    const { storeId } = event.meta;
    const changes = storeId === null ? undefined : this.stores.get(storeId);
    changes?.note(kindsOf(event), position);
    if (this.services.isRevocation(event)) this.check(this.concerned(event));
  }

  /** The same for what the log gives; an event of a newer release must not keep the others back. */
  hearStored(event: StoredEvent): void {
    if (this.stores.size === 0) return;
    try {
      this.hear(heardEvent(event), event.position);
    } catch (error) {
      this.services.onError(error);
    }
  }

  /** Ends all connections, and those that still come. */
  close(): void {
    this.closed = true;
    for (const timer of this.forgetting.values()) clearTimeout(timer);
    for (const { watchers } of this.stores.values()) for (const watcher of watchers) watcher.end();
  }

  private welcome(watcher: Watcher, changes: StoreChanges, lastEventId: string | undefined): void {
    const { tokens } = this.services;
    const id = tokens.seal(changes.last);
    if (lastEventId === undefined) {
      watcher.begin(beginning(id));
      return;
    }
    const last = tokens.open(lastEventId);
    const missed = last !== undefined && this.services.isPosition(last) ? changes.since(last) : undefined;
    // Before the place from which it goes on: where the connection breaks between the two, it asks for the same again.
    if (missed) watcher.tell(missed, id);
    watcher.begin((missed ? '' : reset(id)) + beginning(id));
  }

  private changesOf(storeId: string): StoreChanges {
    clearTimeout(this.forgetting.get(storeId));
    this.forgetting.delete(storeId);
    const known = this.stores.get(storeId);
    if (known) return known;
    const { tokens } = this.services;
    const changes = new StoreChanges(this.services.heardUpTo(storeId), (position) => tokens.seal(position));
    this.stores.set(storeId, changes);
    return changes;
  }

  private forgetLater(storeId: string): void {
    const timer = setTimeout(() => {
      this.stores.delete(storeId);
      this.forgetting.delete(storeId);
    }, REMEMBERED).unref();
    this.forgetting.set(storeId, timer);
  }

  /** Events of an account concern its holder, in whichever store; others concern their store. */
  private concerned({ stream, meta }: HeardEvent): readonly Watcher[] {
    const ofStore = meta.storeId === null ? undefined : this.stores.get(meta.storeId)?.watchers;
    const all = [...this.stores.values()].flatMap(({ watchers }) => [...watchers]);
    const ofUser = all.filter(({ principal: { session } }) => session && stream === `user-${session.userId}`);
    return [...new Set([...ofUser, ...(ofStore ?? [])])];
  }

  private check(watchers: readonly Watcher[]): void {
    this.checkAll(watchers).catch((error: unknown) => {
      this.services.onError(error);
    });
  }

  private async checkAll(watchers: readonly Watcher[]): Promise<void> {
    const check = async (watcher: Watcher): Promise<void> => {
      const admitted = await this.services.readmit(watcher.principal);
      if (admitted) watcher.admit(admitted);
      else watcher.end();
    };
    for (const some of batchesOf(watchers, CHECKED_AT_ONCE)) await Promise.all(some.map(check));
  }
}
