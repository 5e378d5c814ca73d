import { Rejection, UNAVAILABLE } from '../../../kernel/events/rejection.js';
import { answerOfThread } from '../../../kernel/threads/one-answer.js';
import { Turns, TurnsByKey } from '../../../kernel/values/turns.js';
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
const MOST_OF_A_STORE = 4;

/**
 * Reads files one after the other, each in a thread that ends with it: a password may take a second to try, and files come once a year. Each
 * store has one file in the line, so that no other waits for all that it hands in.
 */
export class CertificateReader {
  private waiting = 0;
  private readonly line = new Turns();
  private readonly ofStores = new TurnsByKey();

  /** Throws `CertificateRefused` with what is wrong. */
  async read(storeId: string, file: CertificateFile): Promise<ReadCertificate> {
    if (this.waiting >= MOST_WAITING || this.ofStores.countOf(storeId) >= MOST_OF_A_STORE) {
      throw new Rejection(UNAVAILABLE, 'too many certificates are being read; try again');
    }
    this.waiting += 1;
    const reading = this.ofStores.take(storeId, () => this.line.take(() => readInThread(file)));
    const answer = await reading.finally(() => (this.waiting -= 1));
    if ('refused' in answer) throw new CertificateRefused(answer.refused);
    return answer;
  }
}

const readInThread = (file: CertificateFile): Promise<CertificateAnswer> =>
  answerOfThread(new URL('./certificate-worker.js', import.meta.url), file, 'the thread that reads certificates ended');
