export interface Mail {
  /** The same for a repeat, so that a receiver can tell it. */
  readonly id: string;
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The mail did not leave. When `permanent`, trying again is in vain: its address or content was refused. */
export class MailNotSent extends Error {
  constructor(
    message: string,
    readonly permanent: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'MailNotSent';
  }
}

export interface Mailer {
  /** Resolves when the next station has taken it over; throws MailNotSent. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}
