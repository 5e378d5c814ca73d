import { RebuildReplaced } from '../../ports/read-models.js';
import { Turns } from '../values/turns.js';
import type { AskedErrand, Errand, Errands, Word } from './errands.js';
import type { ProjectionHealth, Projections } from './projections.js';
import { messageOf } from '../values/message-of.js';

const PASSING = 5_000;

export const perform = (projections: Projections, errand: Errand): Promise<void> =>
  errand.kind === 'rebuild'
    ? projections.rebuild(...errand.collections)
    : projections.skip(errand.collection, errand.position);

/** Health that checkpoints do not tell. */
const isNoteworthy = ({ state, rebuiltTo }: ProjectionHealth): boolean =>
  state === 'stopped' || rebuiltTo !== undefined;

/** Does what others ask, for as long as this process projects. */
export class ErrandRunner {
  private readonly running = new Map<string, Promise<void>>();
  /** The last word on an errand is never followed by one that says that it is under way. */
  private readonly turns = new Turns();
  /** What the process before may have published is not known. */
  private mayHavePublished = true;
  private hasLeft = false;
  private looking: Promise<void> | undefined;

  constructor(
    private readonly errands: Errands,
    private readonly projections: Projections,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Begins what is new and says what is under way; never waits for an errand. */
  look(): void {
    this.looking ??= this.lookOnce().finally(() => (this.looking = undefined));
  }
  /** What is not done by now is left to the process that projects next. */
  leave(): void {
    this.hasLeft = true;
  }

  /** To be awaited once the projections are closed. */
  async ended(): Promise<void> {
    await this.looking;
    await Promise.all(this.running.values());
  }

  private async lookOnce(): Promise<void> {
    try {
      await this.publish();
      const underWay = new Set(this.running.keys());
      for (const asked of await this.errands.asked()) {
        if (underWay.has(asked.id)) await this.sayBegun(asked.id);
        else if (!this.hasLeft) this.begin(asked);
      }
    } catch (error) {
      this.onError(error);
    }
  }

  private begin(asked: AskedErrand): void {
    const run = this.run(asked)
      .catch(this.onError)
      .finally(() => this.running.delete(asked.id));
    this.running.set(asked.id, run);
  }

  private async run({ id, errand, begun }: AskedErrand): Promise<void> {
    await this.sayBegun(id);
    const word = await this.wordOn(errand, begun);
    if (this.hasLeft || word === undefined) return;
    await this.publish();
    await this.turns.take(async () => {
      await this.errands.say(id, word);
      this.running.delete(id);
    });
  }

  private sayBegun(id: string): Promise<void> {
    return this.turns.take(async () => {
      if (this.running.has(id)) await this.errands.say(id, { state: 'begun' });
    });
  }

  /** Undefined where another process does it by now, which this one has not heard of yet: that one has the word. */
  private async wordOn(errand: Errand, begun: boolean): Promise<Word | undefined> {
    try {
      if (!(errand.kind === 'skip' && begun && (await this.isPassed(errand)))) await perform(this.projections, errand);
      return { state: 'done' };
    } catch (error) {
      if (error instanceof RebuildReplaced) return undefined;
      return { state: 'failed', reason: messageOf(error) };
    }
  }

  /** Whoever began it may have done it and gone before it could say so. */
  private isPassed({ collection, position }: Errand & { kind: 'skip' }): Promise<boolean> {
    return this.projections.waitFor([collection], position, PASSING);
  }

  private async publish(): Promise<void> {
    const noteworthy = this.projections.health().filter(isNoteworthy);
    if (noteworthy.length === 0 && !this.mayHavePublished) return;
    await this.errands.publish(noteworthy);
    this.mayHavePublished = noteworthy.length > 0;
  }
}
