import type { Logger } from 'pino';
import type { Clock } from '../../kernel/values/clock.js';
import { newSeed } from '../../kernel/values/ids.js';
import { Rejection } from '../../kernel/events/rejection.js';
import type { RequestFacts } from '../../kernel/routes/request-context.js';
import type { Vault } from '../../ports/vault.js';
import { newVersion } from '../../ports/vault.js';
import type { Answer } from '../exchange/exchange.js';
import { Claim } from './claim.js';
import type { KeyedRequest } from './key.js';
import type { Outcome } from './outcome.js';
import type { KeyRow } from './row.js';
import { answerFor, isShownTo, keyWrite, readKey, replayed, withAnswer } from './row.js';
import { IDEMPOTENCY_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED } from '../exchange/rejections.js';

/** What makes one run of a handler a new one or a repeat. */
export type Run = Pick<RequestFacts, 'seed' | 'keyed' | 'claim' | 'claimLasts' | 'repeatSince' | 'didNothing'>;

interface IdempotencyServices {
  readonly vault: Vault;
  /** Appends store vault rows in their own transaction. */
  readonly storesRows: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Whether an answer is given again as it was; everything else may be tried anew. */
type IsKept = (answer: Answer) => boolean;

/** Successes and conflicts. */
const keepsDecided: IsKept = ({ status }) => status < 300 || status === 409;

/** Answers about people are made anew from what was recorded, so that none outlives the erasure of a person; a conflict tells of nobody. */
const keepsConflicts: IsKept = ({ status }) => status === 409;

/** Gives the first answer to every repeat of a request for 24 h, across restarts and processes. */
export class Idempotency {
  /** Requests of this process; with the answer while that is still on its way to disk. */
  private readonly running = new Map<string, { readonly requestHash: string; outcome?: Outcome }>();

  constructor(private readonly services: IdempotencyServices) {}

  async answer(
    key: KeyedRequest,
    run: (run: Run) => Promise<Outcome>,
    { personal = false }: { readonly personal?: boolean | undefined } = {},
  ): Promise<Answer> {
    const isKept = personal ? keepsConflicts : keepsDecided;
    const earlier = this.running.get(key.rowId);
    if (earlier) {
      refuseOther(key, earlier);
      const { outcome } = earlier;
      if (outcome && isShownTo(key, outcome.rightsAsked)) return replayed(outcome.answer);
      throw new Rejection(IDEMPOTENCY_IN_PROGRESS);
    }
    this.running.set(key.rowId, { requestHash: key.requestHash });
    try {
      return await (this.services.storesRows
        ? this.claimWithEvents(key, run, isKept)
        : this.claimFirst(key, run, isKept));
    } finally {
      if (!this.running.get(key.rowId)?.outcome) this.running.delete(key.rowId);
    }
  }

  /** The key's row goes to disk with the first events, so that neither is there without the other. */
  private async claimWithEvents(
    key: KeyedRequest,
    run: (run: Run) => Promise<Outcome>,
    isKept: IsKept,
  ): Promise<Answer> {
    const { vault } = this.services;
    const known = (await readKey(vault, key.rowId))?.value;
    if (known) {
      refuseOther(key, known);
      const kept = answerFor(key, known);
      if (kept) return replayed(kept);
    }
    const value = known ?? this.newRow(key);
    const outcome = await run({
      seed: value.seed,
      keyed: true,
      claim: known ? undefined : keyWrite(key.rowId, value, 'absent'),
      repeatSince: known?.claimedAt,
      didNothing: known?.didNothing,
    });
    const { answer, recorded } = outcome;
    if (isKept(answer)) {
      const write = vault.write([keyWrite(key.rowId, withAnswer(value, outcome), 'any')]);
      if (recorded) this.finishLater(key, outcome, write);
      else await write;
    } else if (wasGranted(answer) && !recorded) {
      await vault.write([keyWrite(key.rowId, { ...value, didNothing: true }, 'any')]);
    }
    return known ? replayed(answer) : answer;
  }

  /** What was recorded rebuilds the answer should it be lost, so nobody waits until it is on disk. */
  private finishLater(key: KeyedRequest, outcome: Outcome, write: Promise<boolean>): void {
    this.running.set(key.rowId, { requestHash: key.requestHash, outcome });
    write
      .catch((error: unknown) => {
        this.services.logger.warn({ err: error }, 'an answer was not kept for its idempotency key');
      })
      .finally(() => this.running.delete(key.rowId));
  }

  /** Where row and events cannot be one write, the row comes first and is held while the request runs. */
  private async claimFirst(key: KeyedRequest, run: (run: Run) => Promise<Outcome>, isKept: IsKept): Promise<Answer> {
    const claim = await this.acquire(key);
    if (!(claim instanceof Claim)) return replayed(claim);
    const { seed, claimedAt, didNothing } = claim.value;
    const repeatSince = claim.takenOver ? claimedAt : undefined;
    let outcome: Outcome;
    try {
      outcome = await run({
        seed,
        keyed: true,
        claim: undefined,
        claimLasts: claim.lasts,
        repeatSince,
        didNothing,
      });
    } catch (error) {
      // It may have recorded a part of what was asked for: a repeat with another seed would meet that as somebody else's.
      await claim.release('keep the seed');
      throw error;
    }
    const { answer, recorded, uncertain } = outcome;
    // Who held it before may have recorded something, also where this run did not come so far.
    const mayBeRecorded = recorded || uncertain || claim.takenOver;
    if (isKept(answer)) await claim.settle(outcome);
    else if (mayBeRecorded) await claim.release('keep the seed');
    else if (wasGranted(answer)) await claim.settleAsNothing();
    else await claim.release('delete');
    // Where nothing was recorded whoever took the key over may come to something else, and that counts.
    if (claim.isLost && !recorded) return this.answerOfOther(key);
    return claim.takenOver ? replayed(answer) : answer;
  }

  private async answerOfOther(key: KeyedRequest): Promise<Answer> {
    const known = await readKey(this.services.vault, key.rowId);
    const kept = known && answerFor(key, known.value);
    if (!kept) throw new Rejection(IDEMPOTENCY_IN_PROGRESS);
    return replayed(kept);
  }

  private async acquire(key: KeyedRequest): Promise<Claim | NonNullable<KeyRow['answer']>> {
    const { vault, clock, logger } = this.services;
    const claimOf = (value: KeyRow, version: number, takenOver: boolean) =>
      new Claim(key.rowId, value, version, takenOver, vault, clock, logger);
    const fresh = this.newRow(key);
    for (let tries = 0; tries < 3; tries++) {
      const firstVersion = newVersion();
      if (await vault.write([{ ...keyWrite(key.rowId, fresh, 'absent'), firstVersion }])) {
        return claimOf(fresh, firstVersion, false);
      }
      const known = await readKey(vault, key.rowId);
      if (!known) continue; // released meanwhile
      refuseOther(key, known.value);
      const kept = answerFor(key, known.value);
      if (kept) return kept;
      const { answer, ...rest } = known.value;
      if (!answer && Claim.isHeld(known.value, clock.now())) break;
      const mine = { ...rest, renewedAt: clock.now() };
      if (await vault.write([keyWrite(key.rowId, mine, known.version)])) {
        return claimOf(mine, known.version + 1, true);
      }
    }
    throw new Rejection(IDEMPOTENCY_IN_PROGRESS);
  }

  private newRow({ requestHash }: KeyedRequest): KeyRow {
    const now = this.services.clock.now();
    return { requestHash, seed: newSeed(now), claimedAt: now, renewedAt: now };
  }
}

const wasGranted = ({ status }: Answer): boolean => status < 300;

function refuseOther(key: KeyedRequest, earlier: { readonly requestHash: string }): void {
  if (earlier.requestHash !== key.requestHash) throw new Rejection(IDEMPOTENCY_KEY_REUSED);
}
