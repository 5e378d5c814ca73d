import { z } from 'zod';
import type { Mail, Mailer } from '../../ports/mailer.js';
import { MailNotSent } from '../../ports/mailer.js';
import type { VaultWrite } from '../../ports/vault.js';
import type { Outcome, WorkItem, WorkServices } from './work-line.js';
import { unlessAborted, waitAtMost } from '../values/pause.js';
import { WorkQueue } from './work-queue.js';

/** While one process sends a mail, others leave it alone for so long; afterwards it is tried again. Slow servers take minutes. */
const LEASE = 5 * 60_000;
const RETRY_AFTER = 60_000;
const AT_ONCE = 4;
const MOMENT = 20;
/** Mail that was just written still leaves at a stop; what waits for a slow server leaves after the next start. */
const PATIENCE_AT_CLOSE = 2_000;
/** Both are over before a stop has taken ten seconds. */
const PATIENCE_WITH_SERVERS = 6_000;
const LIVES = 24 * 3_600_000;
/** Mail has one line. */
const LINES = [''];

const waiting = z.object({
  mail: z.object({
    id: z.string(),
    to: z.object({ name: z.string(), address: z.string() }),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
  }),
  expiresAt: z.number(),
});
type Waiting = z.output<typeof waiting>;

/** What a command does with mail. */
export type OutgoingMail = Pick<MailQueue, 'row' | 'wake'>;

/**
 * Mail is written down with the fact that it tells of and sent afterwards: no crash loses it, nobody waits for a mail server,
 * and no answer's time tells whether a mail was sent.
 */
export class MailQueue {
  private readonly queue: WorkQueue<Waiting>;
  private moment: NodeJS.Timeout | undefined;

  constructor(private readonly services: WorkServices & { readonly mailer: Mailer }) {
    this.queue = new WorkQueue(
      {
        name: 'mail',
        task: waiting,
        perLine: AT_ONCE,
        atOnce: AT_ONCE,
        leaseMilliseconds: LEASE,
        longestWait: Math.max(LEASE, RETRY_AFTER),
        fixedLines: LINES,
        expiresAt: ({ expiresAt }) => expiresAt,
        work: (item) => this.send(item),
      },
      services,
    );
  }

  /** The row that is to be stored with the fact; `wake` sends it. */
  row(mail: Mail): VaultWrite {
    const now = this.services.clock.now();
    return this.queue.row({ id: mail.id, task: { mail, expiresAt: now + LIVES }, dueAt: now }, 'any');
  }

  /** Sends what is due, in the background and a moment later, so that the answer on its way waits for nothing. */
  wake(): void {
    this.moment ??= setTimeout(() => {
      this.wakeNow();
    }, MOMENT);
  }

  /** From now on also sends what others have left. */
  start(): void {
    this.queue.start();
  }

  /** Once everything that is due was tried. */
  async idle(): Promise<void> {
    if (this.moment) this.wakeNow();
    await this.queue.idle();
  }

  /** `patience`: how long it then waits at most, in milliseconds, for servers that have not taken over what they were given. */
  async close(patience = PATIENCE_WITH_SERVERS): Promise<void> {
    await waitAtMost(PATIENCE_AT_CLOSE, this.idle());
    await this.queue.close(patience);
  }

  private wakeNow(): void {
    clearTimeout(this.moment);
    this.moment = undefined;
    this.queue.wake();
  }

  private async send({ task, signal }: WorkItem<Waiting>): Promise<Outcome<Waiting>> {
    try {
      await unlessAborted(this.services.mailer.send(task.mail), signal);
    } catch (error) {
      if (signal.aborted) throw error;
      this.services.onError(error);
      const vain = error instanceof MailNotSent && error.permanent;
      if (!vain) return { task, dueAt: this.services.clock.now() + RETRY_AFTER };
    }
    return { task: undefined };
  }
}
