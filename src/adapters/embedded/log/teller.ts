import type { Position } from '../../../ports/event-store.js';
import type { EventTeller, Telling, ToldPage } from '../../../ports/event-teller.js';
import { QuestionLink } from '../workers/question-link.js';
import type { LogFileOptions } from './file.js';
import { positionNumber } from './position.js';
import type { TellerData, TellingAsked } from './telling-worker.js';

const SCRIPT = new URL('./telling-worker.js', import.meta.url);

/** Tells events on the thread that reads them, which is started when the first are asked for; until it runs, another teller does. */
export class EmbeddedTeller implements EventTeller {
  private readonly link: QuestionLink<TellingAsked, true>;

  constructor(
    file: LogFileOptions,
    /** A module that exports `tellEvents`. */
    tellingModule: URL,
    private readonly meanwhile: EventTeller,
  ) {
    this.link = new QuestionLink(SCRIPT, { file, tellingModule: tellingModule.href } satisfies TellerData);
  }

  async tell(positions: readonly Position[], telling: Telling): Promise<ToldPage> {
    if (this.link.begun && this.link.open) {
      return (await this.link.ask({ positions: positions.map(positionNumber), telling })) as ToldPage;
    }
    // A thread that does not start is tried again with the next question.
    if (this.link.open) void this.link.start().catch(() => undefined);
    return this.meanwhile.tell(positions, telling);
  }

  close(): Promise<void> {
    return this.link.close();
  }
}
