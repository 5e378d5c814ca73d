import type { ReservationType, Hold } from './reservation.js';
import { NAME_HELD } from './reservation.js';
import { Rejection } from '../events/rejection.js';
import type { Commands } from '../lanes/commands.js';

/** How long a hold may wait for its owner to confirm it; afterwards whoever wants the name may take it. */
export const RESERVATION_GRACE = 2_000;

/** When two moments lie so near that a request could still be at work between them. What lies further ahead is of a clock that was ahead. */
export const isRecent = (since: string, at: string): boolean =>
  Math.abs(Date.parse(at) - Date.parse(since)) < RESERVATION_GRACE;

export interface Reserver {
  readonly ownerId: string;
  readonly claimId: string;
}

/** `pending`: somebody is just taking it; otherwise the record whose it is. */
export type ReservationOutcome<O> = 'claimed' | 'pending' | O;

/** What a name belongs to, and how its owners are asked. */
interface ReservedNames<O extends object> {
  readonly type: ReservationType;
  stream(context: Commands, name: string): string;
  storeId(context: Commands): string | null;
  /** The owner's record when it uses the name; `open` while it may come to, `ended` when it never will. */
  owner(context: Commands, ownerId: string, name: string): Promise<O | 'open' | 'ended'>;
  /** Makes a confirmation that comes after all be refused, in the owner's own stream; nothing when the owner uses the name. */
  drop(context: Commands, hold: Hold, name: string): Promise<void>;
}

/** Reserve, then confirm: unique names over streams, without a transaction across them. */
export class Reservations<O extends object> {
  constructor(private readonly of: ReservedNames<O>) {}

  /**
   * Holds a name for an owner that will confirm it, or says whose it is. What a crash left behind is taken over: its owner's claim is dropped
   * first, so that a confirmation that comes after all is refused.
   */
  async claim(context: Commands, name: string, { ownerId, claimId }: Reserver): Promise<ReservationOutcome<O>> {
    for (;;) {
      const hold = await this.hold(context, name);
      const other = hold?.ownerId === ownerId ? undefined : hold;
      const owner = other && (await this.liveOwner(context, name, other));
      if (owner) return owner;
      const instead = other ? { instead: other.claimId } : {};
      try {
        await this.execute(context, name, { type: 'hold', ownerId, claimId, ...instead });
        return 'claimed';
      } catch (error) {
        if (!(error instanceof Rejection && error.kind === NAME_HELD)) throw error;
      }
    }
  }

  /** The record whose it is, as far as that confirms it. */
  async ownerOf(context: Commands, name: string): Promise<O | undefined> {
    const hold = await this.hold(context, name);
    const owner = hold && (await this.of.owner(context, hold.ownerId, name));
    return typeof owner === 'object' ? owner : undefined;
  }

  /** The claim by which an owner holds a name, to be released when it no longer uses it. */
  async claimOf(context: Commands, name: string, ownerId: string): Promise<string | undefined> {
    const hold = await this.hold(context, name);
    return hold?.ownerId === ownerId ? hold.claimId : undefined;
  }

  async release(context: Commands, name: string, claimId: string | undefined): Promise<void> {
    if (claimId !== undefined) await this.execute(context, name, { type: 'release', claimId });
  }

  private async hold(context: Commands, name: string): Promise<Hold | undefined> {
    return (await context.currentOn(this.of.type, this.of.stream(context, name))).hold;
  }

  private execute(context: Commands, name: string, command: Parameters<ReservationType['decider']['decide']>[1]) {
    const { of } = this;
    return context.executeOn(of.type, of.stream(context, name), command, { storeId: of.storeId(context) });
  }

  /** Undefined once the hold is dead. */
  private async liveOwner(context: Commands, name: string, hold: Hold): Promise<ReservationOutcome<O> | undefined> {
    const before = await this.of.owner(context, hold.ownerId, name);
    if (typeof before === 'object') return before;
    if (before === 'open' && isRecent(hold.heldAt, context.at)) return 'pending';
    await this.of.drop(context, hold, name);
    const after = await this.of.owner(context, hold.ownerId, name);
    return typeof after === 'object' ? after : undefined;
  }
}
