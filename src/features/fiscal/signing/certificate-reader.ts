import { Rejection, UNAVAILABLE } from '../../../kernel/events/rejection.js';
import { answerOfThread } from '../../../kernel/threads/one-answer.js';
import type { CertificateFacts, StoredCertificate } from './certificates.js';
import { CertificateRefused } from './certificates.js';

/** As a store hands it in, and what it must fit. */
export interface CertificateFile {
  readonly format: 'PFX' | 'PEM';
  /** Base64. */
  readonly content: string;
  readonly password: string;
  readonly taxId: string | null;
  readonly now: number;
}

interface ReadCertificate {
  readonly stored: StoredCertificate;
  readonly facts: CertificateFacts;
}
export type CertificateAnswer = ReadCertificate | { readonly refused: string };

const MOST_WAITING = 20;

/** Reads files one after the other, each in a thread that ends with it: a password may take a second to try, and files come once a year. */
export class CertificateReader {
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  /** Throws `CertificateRefused` with what is wrong. */
  async read(file: CertificateFile): Promise<ReadCertificate> {
    if (this.waiting >= MOST_WAITING) {
      throw new Rejection(UNAVAILABLE, 'too many certificates are being read; try again');
    }
    this.waiting += 1;
    const reading = this.last.then(() => readInThread(file)).finally(() => (this.waiting -= 1));
    this.last = reading.catch(() => undefined);
    const answer = await reading;
    if ('refused' in answer) throw new CertificateRefused(answer.refused);
    return answer;
  }
}

const readInThread = (file: CertificateFile): Promise<CertificateAnswer> =>
  answerOfThread(new URL('./certificate-worker.js', import.meta.url), file, 'the thread that reads certificates ended');
