import { randomInt } from 'node:crypto';
import { STATE_CODES } from '../../../brazil/states.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { dayOf, localTime } from '../../../kernel/values/days.js';
import { RowConflict } from '../../../ports/event-store.js';
import type { VaultWrite } from '../../../ports/vault.js';
import { accessKey, randomCode } from '../domain/access-key.js';
import type { Prepared } from '../domain/commands.js';
import { NumberMoved } from '../domain/decisions.js';
import { layoutTimeZone } from '../domain/layout-time.js';
import type { Emission } from '../domain/note.js';
import { nextNumber, numberKey } from '../domain/state.js';
import { noteTotal } from '../domain/xml/totals.js';
import { fiscal } from '../decider.js';
import type { Contingency, DocumentFacts } from '../events.js';
import type { SigningThreads } from '../signing/signing-threads.js';
import { unsignedNote } from '../signing/written-note.js';
import type { DocumentStore } from './document-store.js';
import type { Draft } from './drafting.js';

/** A document that waits for its number. */
export interface Preparation {
  readonly context: RequestContext;
  readonly documentId: string;
  readonly saleId: string;
  readonly series: number;
  readonly timeZone: string;
  readonly draft: Draft;
  readonly attempt: number;
  /** Its own from before, or of the document whose place it takes; undefined: the next. */
  readonly number: { readonly number: number; readonly randomCode: string } | undefined;
  readonly replaces: string | null;
  readonly keepsNumber: boolean;
  readonly contingency: Contingency | null;
  readonly documentKey: Buffer;
  readonly rows: readonly VaultWrite[];
  /** When it is issued. */
  now(): number;
}

export interface PreparedDocument {
  readonly facts: DocumentFacts;
  readonly digestValue: string;
  readonly xml: string;
}

/** An earlier run of the same request, or another request at the same time, has prepared it: what was signed then counts. */
export class PreparedBefore extends Error {}

interface Waiting {
  readonly job: Preparation;
  readonly resolve: (prepared: PreparedDocument) => void;
  readonly reject: (reason: unknown) => void;
}

const BATCH = 64;

/** Names the command. One request may prepare two documents: the second where nobody knows whether the first arrived. */
export const preparationOf = (documentId: string, attempt: number): string =>
  `prepare ${documentId} ${String(attempt)}`;

/**
 * Gives the documents of a store their numbers. A number stands inside what is signed, so it is known before the fact: those that wait are
 * written and signed together under the next numbers, off the main thread, and become facts in that order. Whose number has moved is written again.
 */
export class PreparationQueue {
  private waiting: Waiting[] = [];
  private working = false;

  constructor(
    private readonly documents: DocumentStore,
    private readonly signing: SigningThreads,
  ) {}

  prepare(job: Preparation): Promise<PreparedDocument> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ job, resolve, reject });
      if (this.working) return;
      this.working = true;
      void this.work();
    });
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      const moved = await this.prepareAll(batch);
      this.waiting.unshift(...moved);
    }
    this.working = false;
  }

  /** Gives those that are to be written again. */
  private async prepareAll(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    let numbered: readonly { readonly waiting: Waiting; readonly written: Promise<Written> }[];
    try {
      numbered = await this.numbered(batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return [];
    }
    const settled = await Promise.allSettled(numbered.map(({ written }) => written));
    const again = await Promise.all(
      numbered.map(async ({ waiting }, index) => {
        const outcome = settled[index];
        if (outcome?.status !== 'fulfilled') {
          waiting.reject(outcome?.reason);
          return [];
        }
        return this.recorded(waiting, outcome.value);
      }),
    );
    return again.flat();
  }

  private async numbered(batch: readonly Waiting[]) {
    const [first] = batch;
    if (!first) return [];
    const state = await first.job.context.current(fiscal);
    const next = new Map<string, number>();
    return batch.map((waiting) => {
      const { job } = waiting;
      const { model } = job.draft.note;
      const key = numberKey(model, job.series);
      const known = next.get(key) ?? nextNumber(state, model, job.series);
      if (!job.number) next.set(key, known + 1);
      const written = writtenWith(this.signing, job, job.number?.number ?? known);
      written.catch(() => undefined); // told by those who wait for all of them
      return { waiting, written };
    });
  }

  /** Gives what is to be written again: its number has moved, or its key is kept already. */
  private async recorded({ job, resolve, reject }: Waiting, written: Written): Promise<readonly Waiting[]> {
    const { context, rows, documentId, attempt } = job;
    const contingency = job.contingency?.type === 'OFFLINE' ? job.contingency : null;
    try {
      const command = { type: 'prepare', prepared: written.prepared, contingency } as const;
      const options = { name: preparationOf(documentId, attempt), rows };
      const { events } = await this.documents.execute(context, command, options);
      const { digestValue } = written;
      // An earlier run of the request may be alive after all, and have recorded another text meanwhile.
      const isOwn = events.some(({ type, data }) => type === 'DocumentPrepared' && data.digestValue === digestValue);
      if (isOwn) resolve(written);
      else reject(new PreparedBefore());
    } catch (error) {
      try {
        return [{ job: await this.nextTry(job, error), resolve, reject }];
      } catch (final) {
        reject(final);
      }
    }
    return [];
  }

  /**
   * Where rows are stored apart from events, the key stays when the command that brought it is refused, or a crash came between them. The text is
   * sealed with the key that is kept, whoever has kept it. What another try does not mend is thrown.
   */
  private async nextTry(job: Preparation, error: unknown): Promise<Preparation> {
    const isRowInTheWay = error instanceof RowConflict && job.rows.length > 0;
    if (!isRowInTheWay && !(error instanceof NumberMoved)) throw error;
    const kept = job.rows.length > 0 ? await this.documents.keyOf(job.context.storeId, job.documentId) : undefined;
    if (kept) return { ...job, documentKey: kept, rows: [] };
    if (isRowInTheWay) throw error;
    return job;
  }
}

interface Written extends PreparedDocument {
  readonly prepared: Prepared;
}

/** As the layout knows who stands in for the authority. */
const EMISSION_TYPES: Readonly<Record<Contingency['type'], number>> = { OFFLINE: 9, SVC_AN: 6, SVC_RS: 7 };

function emissionOf(job: Preparation, number: number): Emission {
  const { series, draft, contingency } = job;
  const { issuer, model } = draft.note;
  const now = job.now();
  const timeZone = layoutTimeZone(now, job.timeZone);
  const issuedOn = dayOf(now, timeZone);
  const emissionType = contingency ? EMISSION_TYPES[contingency.type] : 1;
  const code = job.number?.randomCode ?? randomCode(randomInt(100_000_000), number);
  const stateCode = STATE_CODES[issuer.address.state];
  const { taxId } = issuer;
  return {
    series,
    number,
    randomCode: code,
    emissionType,
    issuedOn,
    accessKey: accessKey({ stateCode, issuedOn, taxId, model, series, number, emissionType, randomCode: code }),
    issuedAt: localTime(now, timeZone),
    contingency: contingency && {
      since: localTime(Date.parse(contingency.since), timeZone),
      reason: contingency.reason,
    },
  };
}

async function writtenWith(signing: SigningThreads, job: Preparation, number: number): Promise<Written> {
  const { draft, documentId, saleId, documentKey, attempt, replaces, keepsNumber, contingency } = job;
  const { note, signer, securityCode: code, consumerAddresses: addresses } = draft;
  const emission = emissionOf(job, number);
  const unsigned = unsignedNote(note, emission, { qrCode: { code, addresses } });
  const toSeal = { note: unsigned, documentId, documentKey: new Uint8Array(documentKey) };
  const made = await signing.seal(toSeal, signer.identity);
  const { accessKey: key, series } = emission;
  const facts: DocumentFacts = {
    documentId,
    saleId,
    model: note.model,
    series,
    number,
    accessKey: key,
    status: 'PENDING',
    protocol: null,
    environment: note.environment,
    issuedAt: new Date(emission.issuedAt).toISOString(),
    qrCodeUrl: made.qrCodeUrl,
    // One that goes offline enters contingency by a fact of its own.
    contingency: contingency?.type === 'OFFLINE' ? null : contingency,
    rejection: null,
    cancellation: null,
  };
  const prepared: Prepared = {
    document: facts,
    attempt,
    randomCode: emission.randomCode,
    emissionType: emission.emissionType,
    digestValue: made.digestValue,
    total: noteTotal(note.items),
    replaces,
    keepsNumber,
    sealedXml: made.sealedXml,
  };
  return { facts, digestValue: made.digestValue, xml: made.xml, prepared };
}
