import { streamName } from '../../../kernel/decider.js';
import { Rejection } from '../../../kernel/rejection.js';
import type { Commands } from '../../../kernel/route.js';
import type { Account } from './decider.js';
import { account, confirms } from './decider.js';
import { accountStream } from './directory.js';
import type { Hold, NameType } from './names.js';
import { NAME_HELD, foldName } from './names.js';

/** How long a hold may wait for its account to confirm it; afterwards whoever wants the name may take it. */
export const CLAIM_GRACE = 2_000;

export interface Claimant {
  readonly ownerId: string;
  readonly claimId: string;
}

/** `pending`: somebody is just taking it. */
export type ClaimOutcome = 'claimed' | 'pending' | Account;

const nameStream = (type: NameType, text: string): string => streamName(type.category, foldName(text));

/** When one moment lies so shortly before another that a request could still be at work between them. */
export const isRecent = (since: string, at: string): boolean => Date.parse(at) - Date.parse(since) < CLAIM_GRACE;

/**
 * Holds a name for an account that will confirm it, or says whose it is. What a crash left behind is taken over: its owner's claim is
 * dropped first, so that a confirmation that comes after all is refused.
 */
export async function claimName(
  context: Commands,
  type: NameType,
  text: string,
  { ownerId, claimId }: Claimant,
): Promise<ClaimOutcome> {
  const stream = nameStream(type, text);
  for (;;) {
    const { hold } = await context.currentOn(type, stream);
    const other = hold?.ownerId === ownerId ? undefined : hold;
    const owner = other && (await ownerOf(context, type, text, other));
    if (owner) return owner;
    const instead = other ? { instead: other.claimId } : {};
    try {
      await context.executeOn(type, stream, { type: 'hold', ownerId, claimId, ...instead }, { storeId: null });
      return 'claimed';
    } catch (error) {
      if (!(error instanceof Rejection && error.kind === NAME_HELD)) throw error;
    }
  }
}

/** Undefined once the hold is dead. */
async function ownerOf(context: Commands, type: NameType, text: string, hold: Hold): Promise<ClaimOutcome | undefined> {
  const stream = accountStream(hold.ownerId);
  const { category: kind } = type;
  const name = foldName(text);
  const before = await context.currentOn(account, stream);
  if (typeof before !== 'string' && confirms(before, kind, name)) return before;
  if (before !== 'ended' && isRecent(hold.heldAt, context.at)) return 'pending';
  await context.executeOn(account, stream, { type: 'dropClaim', claimId: hold.claimId, kind, name }, { storeId: null });
  const after = await context.currentOn(account, stream);
  return typeof after !== 'string' && confirms(after, kind, name) ? after : undefined;
}

/** The claim by which an account holds a name, to be released when it no longer uses it. */
export async function claimOf(
  context: Commands,
  type: NameType,
  text: string,
  ownerId: string,
): Promise<string | undefined> {
  const { hold } = await context.currentOn(type, nameStream(type, text));
  return hold?.ownerId === ownerId ? hold.claimId : undefined;
}

export async function releaseName(
  context: Commands,
  type: NameType,
  text: string,
  claimId: string | undefined,
): Promise<void> {
  if (claimId === undefined) return;
  await context.executeOn(type, nameStream(type, text), { type: 'release', claimId }, { storeId: null });
}
