import { createTransport } from 'nodemailer';
import type { Mail, Mailer } from '../../ports/mailer.js';
import { MailNotSent } from '../../ports/mailer.js';
import { isAddress, messageOf } from './message.js';

interface SmtpOptions {
  /** `smtp://user:password@host:port`, or `smtps://…`. */
  readonly url: string;
  readonly sender: string;
  /** How long the server may take to be reached. */
  readonly patience?: number;
  /** How long each of its answers may take. */
  readonly patienceForAnswers?: number;
}

const PATIENCE = 10_000;
/** Servers that look at a mail, or slow their clients down, take it after half a minute and more: whoever gives up before sends it again and again. */
const PATIENCE_FOR_ANSWERS = 120_000;
const CONNECTIONS = 2;

/** An answer of the 500s is final for this mail; a server that is away or busy is not. A wrong login is ours to mend. */
function isPermanent(error: unknown): boolean {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  return typeof responseCode !== 'number' || responseCode >= 500;
}

export class SmtpMailer implements Mailer {
  private readonly transport;

  constructor(private readonly options: SmtpOptions) {
    const { patience = PATIENCE, patienceForAnswers = PATIENCE_FOR_ANSWERS } = options;
    this.transport = createTransport({
      url: options.url,
      pool: true,
      maxConnections: CONNECTIONS,
      dnsTimeout: patience,
      connectionTimeout: patience,
      greetingTimeout: patience,
      socketTimeout: patienceForAnswers,
    });
  }

  async send(mail: Mail): Promise<void> {
    if (!isAddress(mail.to.address)) throw new MailNotSent('the address is none', true);
    try {
      await this.transport.sendMail(messageOf(mail, this.options.sender));
    } catch (cause) {
      throw new MailNotSent('the mail server did not take the mail', isPermanent(cause), { cause });
    }
  }

  close(): Promise<void> {
    this.transport.close();
    return Promise.resolve();
  }
}
