import type { Position } from '../../ports/event-store.js';

/** So many questions in a row that nobody answered are more than a change of the leader: each is given up after seconds. */
const UNANSWERED = 2;

/**
 * Whether this process hears of the log. One that does not leaves its work to those that may: it may be this process alone that has lost the log,
 * while its lease, which lies elsewhere, could be renewed for ever.
 */
export class LogHearing {
  private unanswered = 0;
  private isAsking = false;

  constructor(private readonly ask: () => Promise<Position>) {}

  get isDeaf(): boolean {
    return this.unanswered >= UNANSWERED;
  }

  async head(): Promise<Position> {
    try {
      const head = await this.ask();
      this.unanswered = 0;
      return head;
    } catch (error) {
      this.unanswered += 1;
      throw error;
    }
  }

  /** Asks beside other work. Whoever follows the log says that it is away. */
  async listen(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    await this.head().catch(() => undefined);
    this.isAsking = false;
  }
}
