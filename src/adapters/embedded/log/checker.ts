import type { CheckedPlace, CheckedStretch, LogChecker } from '../../../ports/log-checker.js';
import { QuestionLink } from '../workers/question-link.js';
import type { CheckAsked } from './checking-worker.js';
import type { LogFileOptions } from './file.js';
import { positionNumber } from './position.js';

const SCRIPT = new URL('./checking-worker.js', import.meta.url);

/** What few events came is not worth a thread. */
const FEW = 500;

/** Checks the log on a thread that is started when there is much to check, and ends when there is not. */
export class EmbeddedChecker implements LogChecker {
  private link: QuestionLink<CheckAsked, true> | undefined;
  private closing = false;

  constructor(
    private readonly file: LogFileOptions,
    private readonly head: () => number,
    /** Checks a few of them. */
    private readonly here: LogChecker,
  ) {}

  async next(from: CheckedPlace, limit: number): Promise<CheckedStretch> {
    if (this.closing || this.head() - positionNumber(from.position) <= FEW) {
      await this.endThread();
      return this.here.next(from, limit);
    }
    this.link ??= new QuestionLink(SCRIPT, this.file);
    return (await this.link.ask({ from, limit })) as CheckedStretch;
  }

  async close(): Promise<void> {
    this.closing = true;
    await this.endThread();
  }

  private async endThread(): Promise<void> {
    const { link } = this;
    this.link = undefined;
    await link?.close();
  }
}
