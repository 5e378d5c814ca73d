import { setImmediate as turn } from 'node:timers/promises';
import { AuthorityAway } from '../../../src/ports/fiscal-authority.js';
import type { Draws } from './draws.js';

/** Nothing that belongs to a process which died goes on. */
export class Dead extends Error {}

/** Who acts. */
export interface Actor {
  readonly name: string;
  isDead: boolean;
}

/** An act that waits for its turn. */
interface Waiting {
  readonly actor: Actor;
  /** It has no turn before. */
  readonly at: number;
  go(): void;
  fail(error: unknown): void;
}

const START = Date.parse('2026-11-20T15:00:00Z');
const WORDS = { pt: 'sem resposta', en: 'no answer' };

/** What processes do to what they share, one act after the other, in an order that is drawn: each may stand still for as long as others go on. */
export class Schedule {
  now = START;
  /** Until then questions to the authority get lost, and it refuses by chance. */
  isCalm = false;
  /** What happened, in its order. */
  readonly story: string[] = [];
  /** Hears each line of it at once. */
  onTold: ((line: string) => void) | undefined;
  private waiting: Waiting[] = [];

  constructor(
    readonly draws: Draws,
    /** How many of the questions to the authority get lost, or their answers. */
    private readonly lossy: number,
  ) {}

  tell(actor: Actor | undefined, what: string): void {
    const line = `${((this.now - START) / 1_000).toFixed(3).padStart(9)} ${actor?.name ?? '  '} ${what}`;
    this.story.push(line);
    this.onTold?.(line);
  }

  get isIdle(): boolean {
    return this.waiting.length === 0;
  }

  /** When the next one has a turn; later than ever where nobody waits. */
  get nextTurn(): number {
    return Math.max(this.now, Math.min(...this.waiting.map(({ at }) => at)));
  }

  /** Whether whoever waits does so for a time that has not come. */
  get isQuiet(): boolean {
    return this.waiting.every(({ at }) => at > this.now);
  }

  async act<T>(actor: Actor, what: string, act: () => T | Promise<T>): Promise<T> {
    await this.turnOf(actor);
    this.tell(actor, what);
    const [outcome] = await Promise.allSettled([Promise.resolve().then(act)]);
    if (this.draws.chance(0.3)) await this.turnOf(actor);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /** A question to the authority, which may not arrive, or whose answer may be lost. */
  async asked<T extends { readonly kind: string; readonly code?: string }>(
    actor: Actor,
    what: string,
    answered: () => T,
  ): Promise<T> {
    await this.turnOf(actor);
    const isLost = !this.isCalm && this.draws.chance(this.lossy);
    if (isLost && this.draws.chance(0.5)) {
      const mayHaveArrived = this.draws.chance(0.3);
      this.tell(actor, `authority: ${what} did not arrive${mayHaveArrived ? ', for all that is known' : ''}`);
      await this.turnOf(actor);
      throw new AuthorityAway(WORDS, mayHaveArrived);
    }
    const answer = answered();
    this.tell(
      actor,
      `authority: ${what}: ${answer.kind} ${answer.code ?? ''}${isLost ? ', and the answer is lost' : ''}`,
    );
    await this.turnOf(actor);
    if (isLost) throw new AuthorityAway(WORDS, true);
    return answer;
  }

  /** An actor waits for its turn, and for a time before it. */
  async wait(actor: Actor, what: string, milliseconds = 0): Promise<void> {
    await this.turnOf(actor, this.now + milliseconds);
    this.tell(actor, what);
  }

  /** Lets one of those go on that wait, of one process where it has any; false where nobody waits. Where all wait for a time, that comes. */
  async step(choose: (count: number) => number, focus?: string): Promise<boolean> {
    await turn();
    if (this.waiting.length > 0) this.now = Math.max(this.now, Math.min(...this.waiting.map(({ at }) => at)));
    const ready = this.waiting.filter(({ at }) => at <= this.now);
    const wanted = ready.filter(({ actor }) => actor.name === focus);
    const among = wanted.length > 0 ? wanted : ready;
    const next = among[choose(among.length)];
    if (!next) return false;
    this.waiting = this.waiting.filter((one) => one !== next);
    next.go();
    return true;
  }

  kill(actor: Actor): void {
    this.tell(actor, 'DIES');
    actor.isDead = true;
    const own = this.waiting.filter((one) => one.actor === actor);
    this.waiting = this.waiting.filter((one) => one.actor !== actor);
    for (const one of own) one.fail(new Dead());
  }

  private async turnOf(actor: Actor, at = -Infinity): Promise<void> {
    if (actor.isDead) throw new Dead();
    await new Promise<void>((go, fail) => this.waiting.push({ actor, at, go, fail }));
  }
}
