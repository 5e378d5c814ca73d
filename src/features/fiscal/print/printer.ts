import { ThreadPool } from '../../../kernel/threads/thread-pool.js';

/** What a print is made of: the signed XML, and what became of the document since. */
export interface PrintJob {
  readonly xml: string;
  readonly status: string;
  readonly protocol: string | null;
  readonly authorizedAt: string | null;
  readonly timeZone: string;
}

export type PrintResult = { readonly pdf: Uint8Array } | { readonly error: string };

const MOST_WAITING = 200;

/** Prints one document after the other in a thread of its own, which is started when somebody prints. Stores take turns. */
export class DocumentPrinter {
  private readonly threads = new ThreadPool<PrintJob, PrintResult>({
    script: new URL('./print-worker.js', import.meta.url),
    mostThreads: 1,
    mostWaiting: MOST_WAITING,
    crowded: 'too many documents are being printed; try again',
  });

  async print(storeId: string, job: PrintJob): Promise<Uint8Array> {
    const result = await this.threads.run(job, storeId);
    if ('error' in result) throw new Error(result.error);
    return result.pdf;
  }
}
