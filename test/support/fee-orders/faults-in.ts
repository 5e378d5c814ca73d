import type { StoredEvent } from '../../../src/ports/event-store.js';
import { termsOf } from '../../../src/features/card-fees/domain/state.js';
import type { Shop } from '../catalogue-orders/shop.js';
import { feesOf, MONTHS } from './acts.js';
import type { CardTerms } from './reckoning.js';
import { cents, feeIn } from './reckoning.js';

/** What must not be once everything has come to rest: the books of card fees are kept once more, by the log and another arithmetic. */

interface Payment {
  readonly month: string;
  readonly saleId: string;
  readonly amount: bigint;
  readonly cardBrandId: string | null;
  readonly cardType: 'debit' | 'credit';
  readonly installments: number;
  /** In cents; null while it is pending. */
  fee: bigint | null;
}

interface Progress {
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
  readonly grossTotal: string;
  readonly feeBefore: string;
  readonly feeAfter: string;
}

interface SaleFact {
  readonly saleId: string;
  readonly occurredOn: string;
  readonly payments: readonly {
    readonly method: string;
    readonly amount: string;
    readonly cardBrandId: string | null;
    readonly installments: number | null;
    readonly fee: string | null;
  }[];
}

interface BatchFact {
  readonly jobId: string;
  readonly epoch: number;
  readonly progress: Progress;
  readonly changes: readonly {
    readonly payments: readonly {
      readonly saleId: string;
      readonly payment: number;
      readonly previousFee: string | null;
      readonly fee: string;
    }[];
  }[];
}

class Job {
  readonly changed = new Map<string, bigint>();
  readonly progress: Progress[] = [];
  /** Of whoever has it. */
  epoch = 0;
  isOver = false;

  constructor(
    readonly terms: CardTerms,
    /** What it finds, with the fees of that moment. */
    readonly payments: ReadonlyMap<string, Payment>,
  ) {}
}

const isCard = (method: string): boolean => method === 'DEBIT' || method === 'CREDIT';
const keyOf = (saleId: string, payment: number): string => `${saleId}/${String(payment)}`;

export async function faultsIn(shop: Shop): Promise<readonly string[]> {
  const { world } = shop;
  const books = new Books(shop);
  for (const stored of world.log.events) books.add(stored);
  const { accounts, activeId, jobs } = feesOf(shop);
  return [
    ...books.faults,
    ...(accounts.size > 0 && !accounts.has(activeId ?? '') ? ['no machine is the active one'] : []),
    ...(jobs.size > 0 ? ['a recalculation does not come to its end'] : []),
    ...(await books.unlikeSummaries()),
    ...world.errors.map((error) => `logged: ${error instanceof Error ? (error.stack ?? '') : String(error)}`),
  ];
}

class Books {
  readonly faults: string[] = [];
  private readonly payments = new Map<string, Payment>();
  private readonly cancelled = new Set<string>();
  private readonly jobs = new Map<string, Job>();
  private readonly terms: CardTerms[];
  private facts = 0;
  private lastMonth = '';

  constructor(private readonly shop: Shop) {
    this.terms = [this.termsNow()];
  }

  add({ stream, type, data }: StoredEvent): void {
    const fact = JSON.parse(data) as SaleFact & BatchFact & { readonly month: string; readonly terms: CardTerms };
    if (type === 'SaleCompleted') this.addSale(fact);
    else if (type === 'SaleCancelled') this.cancelled.add(fact.saleId);
    if (stream !== `card-fees-${this.shop.storeId}`) return;
    this.facts += 1;
    this.terms.push(this.termsNow());
    if (type === 'FeeJobQueued') this.jobs.set(fact.jobId, new Job(fact.terms, this.inMonth(fact.month)));
    else if (type === 'FeeJobClaimed') this.claim(fact);
    else if (type === 'FeesRecalculated') this.recalculate(fact);
    else if (type === 'FeeJobFinished') this.finish(fact);
    else if (type === 'FeeJobFailed') this.faults.push('a recalculation was given up');
    else if (type === 'AutoAdjustRan') this.adjusted(fact.month);
  }

  async unlikeSummaries(): Promise<readonly string[]> {
    const { shop } = this;
    const faults: string[] = [];
    for (const month of MONTHS) {
      const asked = { method: 'get', path: '/card-fees/summary', query: { month } };
      const told = await shop.world.done(shop.ask(shop.world.any(), asked));
      const all = [...this.inMonth(month).values()];
      const total = {
        payments: all.length,
        gross: inMoney(all.map(({ amount }) => amount)),
        fee: inMoney(all.map(({ fee }) => fee ?? 0n)),
        pending: all.filter(({ fee }) => fee === null).length,
      };
      const shown = { ...told.body?.total, effectivePercent: undefined };
      if (JSON.stringify(total) !== JSON.stringify(shown))
        faults.push(`${month} sums up to ${JSON.stringify(total)}, and ${JSON.stringify(shown)} is shown`);
    }
    return faults;
  }

  private termsNow(): CardTerms {
    return JSON.parse(JSON.stringify(termsOf(feesOf(this.shop, this.facts)))) as CardTerms;
  }

  private addSale({ saleId, occurredOn, payments }: SaleFact): void {
    for (const [index, { method, amount, cardBrandId, installments, fee }] of payments.entries()) {
      if (!isCard(method)) continue;
      const payment: Payment = {
        month: occurredOn.slice(0, 7),
        saleId,
        amount: cents(amount),
        cardBrandId,
        cardType: method === 'DEBIT' ? 'debit' : 'credit',
        installments: installments ?? 1,
        fee: fee === null ? null : cents(fee),
      };
      this.payments.set(keyOf(saleId, index), payment);
      // Somebody may have changed the rates since the sale was priced.
      if (!this.terms.some((terms) => feeIn(terms, payment) === payment.fee))
        this.faults.push(`a sale has a fee that no rates gave: ${JSON.stringify(payments)}`);
    }
  }

  /** As they are now. */
  private inMonth(month: string): ReadonlyMap<string, Payment> {
    const found = [...this.payments].filter(([, one]) => one.month === month && !this.cancelled.has(one.saleId));
    return new Map(found.map(([key, one]) => [key, { ...one }]));
  }

  private claim({ jobId, epoch }: BatchFact): void {
    const job = this.jobs.get(jobId);
    if (job?.epoch !== epoch - 1) this.faults.push(`two claim a recalculation at once: ${String(epoch)}`);
    if (job) job.epoch = epoch;
  }

  private expectHeld(job: Job, { jobId, epoch }: BatchFact): void {
    if (job.epoch !== epoch) this.faults.push(`somebody goes on with what another has taken over: ${jobId}`);
  }

  private recalculate(fact: BatchFact): void {
    const { jobId, changes, progress } = fact;
    const job = this.jobs.get(jobId);
    if (!job || job.isOver) {
      this.faults.push('a recalculation goes on that is over');
      return;
    }
    this.expectHeld(job, fact);
    job.progress.push(progress);
    for (const { payments } of changes) {
      for (const { saleId, payment, previousFee, fee } of payments) {
        const key = keyOf(saleId, payment);
        const found = job.payments.get(key);
        const known = this.payments.get(key);
        if (!found || !known || job.changed.has(key)) {
          this.faults.push(`a payment is recalculated that is not of it, or twice: ${key}`);
          continue;
        }
        job.changed.set(key, cents(fee));
        if (found.fee !== (previousFee === null ? null : cents(previousFee)))
          this.faults.push('another fee was before');
        if (cents(fee) !== feeIn(job.terms, found)) this.faults.push(`a fee is wrong: ${key} ${fee}`);
        known.fee = cents(fee);
      }
    }
  }

  private finish(fact: BatchFact): void {
    const job = this.jobs.get(fact.jobId);
    if (!job) return;
    this.expectHeld(job, fact);
    job.isOver = true;
    const all = [...job.payments];
    const fees = all.map(([, one]) => feeIn(job.terms, one));
    const isChanged = ([, one]: (typeof all)[number], index: number) => fees[index] !== null && fees[index] !== one.fee;
    const changed = all.filter(isChanged).map(([key]) => key);
    const failed = fees.filter((fee) => fee === null).length;
    const expected = {
      updated: changed.length,
      skipped: all.length - changed.length - failed,
      failed,
      grossTotal: inMoney(all.map(([, { amount }]) => amount)),
      feeBefore: inMoney(all.map(([, { fee }]) => fee ?? 0n)),
      feeAfter: inMoney(all.map(([, { fee }], index) => fees[index] ?? fee ?? 0n)),
    };
    const sum = (member: keyof Progress) => inMoney(job.progress.map((one) => cents(String(one[member]))));
    const found = {
      updated: sum('updated'),
      skipped: sum('skipped'),
      failed: sum('failed'),
      grossTotal: sum('grossTotal'),
      feeBefore: sum('feeBefore'),
      feeAfter: sum('feeAfter'),
    };
    if (JSON.stringify(expected) !== JSON.stringify(found))
      this.faults.push(
        `a recalculation is to come to ${JSON.stringify(expected)} and comes to ${JSON.stringify(found)}`,
      );
    if (changed.some((key) => !job.changed.has(key)) || changed.length !== job.changed.size)
      this.faults.push('a recalculation changes other payments than it is to');
  }

  private adjusted(month: string): void {
    if (month <= this.lastMonth) this.faults.push(`the volume of ${month} chooses twice`);
    this.lastMonth = month;
  }
}

const inMoney = (all: readonly bigint[]): number => Number(all.reduce((sum, one) => sum + one, 0n)) / 100;
