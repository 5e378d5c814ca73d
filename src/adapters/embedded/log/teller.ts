import type { Position } from '../../../ports/event-store.js';
import type { EventTeller, Telling, ToldPage } from '../../../ports/event-teller.js';
import { QuestionLink } from '../workers/question-link.js';
import type { LogFileOptions } from './file.js';
import { positionNumber } from './position.js';
import type { TellerData, TellingAsked } from './telling-worker.js';

const SCRIPT = new URL('./telling-worker.js', import.meta.url);

/** So many questions may wait for a thread before another is started. */
const ENOUGH = 2;
const MOST_THREADS = 2;

interface Thread {
  readonly link: QuestionLink<TellingAsked, true>;
  /** Questions that it has not answered. */
  waiting: number;
}

/**
 * Tells events on threads that read them: one that is started when the first are asked for, and another when that has much to do. Until
 * one runs, another teller does.
 */
export class EmbeddedTeller implements EventTeller {
  private readonly threads: readonly Thread[];

  constructor(
    file: LogFileOptions,
    /** A module that exports `tellEvents`. */
    tellingModule: URL,
    private readonly meanwhile: EventTeller,
  ) {
    const data: TellerData = { file, tellingModule: tellingModule.href };
    this.threads = Array.from({ length: MOST_THREADS }, () => ({ link: new QuestionLink(SCRIPT, data), waiting: 0 }));
  }

  async tell(positions: readonly Position[], telling: Telling): Promise<ToldPage> {
    const thread = this.running();
    if (!thread) return this.meanwhile.tell(positions, telling);
    thread.waiting += 1;
    try {
      return (await thread.link.ask({ positions: positions.map(positionNumber), telling })) as ToldPage;
    } finally {
      thread.waiting -= 1;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map(({ link }) => link.close()));
  }

  /** The one that runs and has least to do. */
  private running(): Thread | undefined {
    const running = this.threads.filter(({ link }) => link.begun && link.open);
    const idlest = running.reduce<Thread | undefined>(
      (best, thread) => (best && best.waiting <= thread.waiting ? best : thread),
      undefined,
    );
    if (!idlest || idlest.waiting >= ENOUGH) {
      const more = this.threads.find(({ link }) => !link.begun && link.open);
      // A thread that does not start is tried again with the next question.
      void more?.link.start().catch(() => undefined);
    }
    return idlest;
  }
}
