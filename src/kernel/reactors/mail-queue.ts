import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../values/clock.js';
import type { Mail, Mailer } from '../../ports/mailer.js';
import { MailNotSent } from '../../ports/mailer.js';
import type { Vault, VaultRow, VaultWrite } from '../../ports/vault.js';

const KIND = 'mail';
const BATCH = 50;
/** While one process sends a mail, others leave it alone for so long; afterwards it is tried again. */
const LEASE = 60_000;
const MOMENT = 20;
const LIVES = 24 * 3_600_000;

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

/**
 * Mail is written down with the fact that it tells of and sent afterwards: no crash loses it, nobody waits for a mail server,
 * and no answer's time tells whether a mail was sent.
 */
export class MailQueue {
  private sending: Promise<void> | undefined;
  private again = false;

  constructor(
    private readonly services: { readonly vault: Vault; readonly clock: Clock; readonly mailer: Mailer },
    private readonly onError: (error: unknown) => void,
  ) {}

  /** The row that is to be stored with the fact; `wake` sends it. */
  row(mail: Mail): VaultWrite {
    const now = this.services.clock.now();
    const expiresAt = now + LIVES;
    return { kind: KIND, id: mail.id, value: { mail, expiresAt }, expected: 'any', dueAt: now, expiresAt };
  }

  /** Sends what is due, in the background and a moment later, so that the answer on its way waits for nothing. */
  wake(): void {
    this.again = true;
    this.sending ??= pause(MOMENT)
      .then(() => this.sendAll())
      .finally(() => {
        this.sending = undefined;
      });
  }

  async close(): Promise<void> {
    await this.sending;
  }

  private async sendAll(): Promise<void> {
    const { vault, clock } = this.services;
    try {
      while (this.again) {
        this.again = false;
        const due = await vault.due(KIND, clock.now(), BATCH);
        for (const row of due) await this.send(row);
        if (due.length === BATCH) this.again = true;
      }
    } catch (error) {
      this.onError(error);
    }
  }

  private async send({ id, version, value }: VaultRow): Promise<void> {
    const { vault, clock, mailer } = this.services;
    const { mail, expiresAt } = waiting.parse(value);
    const taken = { kind: KIND, id, value, expected: version, dueAt: clock.now() + LEASE, expiresAt };
    if (!(await vault.write([taken]))) return;
    try {
      await mailer.send(mail);
    } catch (error) {
      this.onError(error);
      if (!(error instanceof MailNotSent && error.permanent)) return;
    }
    await vault.write([{ kind: KIND, id, value: undefined, expected: 'any' }]);
  }
}
