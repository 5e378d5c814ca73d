import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/values/clock.js';
import { toIso } from '../../kernel/values/clock.js';
import type { Mail, Mailer } from '../../ports/mailer.js';
import { MailNotSent } from '../../ports/mailer.js';
import { isAddress, messageOf } from './message.js';
import { makeFolder } from '../../kernel/files/folders.js';
import { putInPlace } from '../../kernel/files/lasting.js';

interface OutboxOptions {
  readonly folder: string;
  readonly sender: string;
  readonly clock: Clock;
}

/** Lays mails into a folder as `.eml` files, so that every flow works without a mail server. */
export class Outbox implements Mailer {
  constructor(private readonly options: OutboxOptions) {}

  async send(mail: Mail): Promise<void> {
    if (!isAddress(mail.to.address)) throw new MailNotSent('the address is none', true);
    const { folder, sender, clock } = this.options;
    const now = clock.now();
    const { createTransport } = await import('nodemailer'); // with the first mail: a start is felt
    const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const { message } = await transport.sendMail({ ...messageOf(mail, sender), date: new Date(now) });
    const name = `${toIso(now).replaceAll(':', '-')}-${randomBytes(6).toString('hex')}.eml`;
    const unfinished = join(folder, `.${name}.tmp`);
    try {
      makeFolder(folder);
      await writeFile(unfinished, message, { mode: 0o600, flag: 'wx', flush: true });
      await putInPlace(unfinished, join(folder, name));
    } catch (cause) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw new MailNotSent('the outbox cannot be written', false, { cause });
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
