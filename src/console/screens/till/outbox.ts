import type { components } from 'openapi-client';
import { useSyncExternalStore } from 'preact/compat';
import { api, body } from '../../client/api.js';
import type { Problem } from '../../client/problem.js';
import { refusalOf } from '../../client/problem.js';
import { refreshKinds } from '../../client/queries.js';
import { storeSlug } from '../../client/session.js';
import type { Cart } from './cart.js';

/**
 * Sales that were finished and not answered yet. Each keeps the key of its idempotency, in the browser too, until the service has
 * answered it: however often it is sent, it is booked once. They are no secret.
 */

type NewSale = components['schemas']['NewSale'];

export interface OutgoingSale {
  readonly key: string;
  readonly at: number;
  readonly sale: NewSale;
  /** What it was made from, to open it again. */
  readonly cart: Cart;
  readonly totalCents: number;
  readonly documentKey: string | null;
  readonly state: 'waiting' | 'refused' | 'old' | 'booked';
  readonly tries: number;
  readonly problem?: Problem;
  readonly booked?: { readonly id: string; readonly number: number };
  readonly document?: { readonly id: string } | { readonly problem: Problem };
}

/** The service knows a key for 24 hours; after this the sale waits for somebody to look. */
const TRUSTED_MILLISECONDS = 20 * 3_600_000;
const RETRY_MILLISECONDS = [1_000, 2_000, 4_000, 8_000, 15_000] as const;

/** Refusals that are not about the sale. */
const PASSING_CODES: ReadonlySet<string> = new Set(['IDEMPOTENCY_IN_PROGRESS', 'STORE_SWITCHED', 'USER_SWITCHED']);

const isPassing = ({ status, code }: Problem): boolean =>
  status === 0 || status >= 500 || status === 429 || status === 401 || PASSING_CODES.has(code);

const UNKNOWN: Problem = { status: 0, code: 'NETWORK' };

export class Outbox {
  private sales: readonly OutgoingSale[];
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: string | undefined;
  /** What this tab answers for: what is gone from here is gone from what is kept. */
  private readonly known = new Set<string>();
  /** False where the browser refuses to keep anything. */
  keeps = true;

  constructor(
    private readonly storeSlug: string,
    private readonly name: string,
  ) {
    this.sales = this.read();
    for (const { key } of this.sales) this.known.add(key);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly all = (): readonly OutgoingSale[] => this.sales;

  add(sale: Omit<OutgoingSale, 'state' | 'tries'>): void {
    this.write([...this.sales.filter(isUnanswered), { ...sale, state: 'waiting', tries: 0 }]);
    this.wake();
  }

  /** Sends again what was refused, changed: a new intention with a key of its own. */
  replace(key: string, next: Omit<OutgoingSale, 'state' | 'tries'>): void {
    this.remove(key);
    this.add(next);
  }

  /** Somebody looked, and it is not there. */
  sendAgain(key: string): void {
    this.change(key, { state: 'waiting', at: Date.now(), tries: 0 });
    this.wake();
  }

  remove(key: string): void {
    this.write(this.sales.filter((one) => one.key !== key));
  }

  /** Tries at once what waits. */
  readonly wake = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    void this.sendNext();
  };

  private async sendNext(): Promise<void> {
    // Its sales belong to one store, whatever store the tab shows by now.
    if (this.sending !== undefined || storeSlug() !== this.storeSlug) return;
    this.setOldAside();
    const next = this.sales.find((one) => isUnfinished(one) && one.tries === this.fewestTries());
    if (!next) return;
    this.sending = next.key;
    const problem = await this.send(next);
    this.sending = undefined;
    if (problem) this.later();
    else void this.sendNext();
  }

  private fewestTries(): number {
    return Math.min(...this.sales.filter(isUnfinished).map(({ tries }) => tries));
  }

  private later(): void {
    const wait = RETRY_MILLISECONDS[Math.min(this.fewestTries(), RETRY_MILLISECONDS.length) - 1] ?? 15_000;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.wake, wait);
  }

  private setOldAside(): void {
    for (const { key, at, state } of this.sales) {
      if (state === 'waiting' && Date.now() - at > TRUSTED_MILLISECONDS) this.change(key, { state: 'old' });
    }
  }

  /** Gives the problem that passes, if there is one. */
  private async send(one: OutgoingSale): Promise<Problem | undefined> {
    try {
      const booked = one.booked ?? (await this.book(one));
      if (one.documentKey !== null && !one.document) await this.issue(one.key, booked.id, one.documentKey);
      return undefined;
    } catch (error) {
      const problem = refusalOf(error) ?? UNKNOWN;
      if (problem.code === 'OCCURRED_IN_FUTURE' && one.sale.occurredAt !== undefined) {
        // The clock here is ahead: the service's own counts.
        const { occurredAt: _ahead, ...sale } = one.sale;
        this.change(one.key, { sale });
        return this.send({ ...one, sale });
      }
      if (isPassing(problem)) {
        this.change(one.key, { tries: one.tries + 1, problem });
        return problem;
      }
      this.change(one.key, { state: 'refused', problem });
      return undefined;
    }
  }

  private async book({ key, sale }: OutgoingSale): Promise<{ readonly id: string; readonly number: number }> {
    const { id, number } = await body(api.POST('/sales', { body: sale, headers: { 'Idempotency-Key': key } }));
    const booked = { id, number };
    this.change(key, { state: 'booked', booked });
    void refreshKinds(['sale', 'product', 'lot']);
    return booked;
  }

  private async issue(key: string, saleId: string, documentKey: string): Promise<void> {
    try {
      const headers = { 'Idempotency-Key': documentKey };
      const { id } = await body(api.POST('/fiscal/documents', { body: { saleId, model: 65 }, headers }));
      this.change(key, { document: { id } });
      void refreshKinds(['document']);
    } catch (error) {
      const problem = refusalOf(error) ?? UNKNOWN;
      if (isPassing(problem)) throw error;
      this.change(key, { document: { problem } });
    }
  }

  private change(key: string, changes: Partial<OutgoingSale>): void {
    this.write(this.sales.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  }

  private write(sales: readonly OutgoingSale[]): void {
    this.sales = sales;
    try {
      // Another tab may keep some of its own.
      const others = this.read().filter(({ key }) => !this.known.has(key));
      for (const { key } of sales) this.known.add(key);
      localStorage.setItem(this.name, JSON.stringify([...others, ...sales.filter(isUnanswered)]));
      this.keeps = true;
    } catch {
      this.keeps = false;
    }
    for (const listener of this.listeners) listener();
  }

  private read(): readonly OutgoingSale[] {
    return keptUnder(this.name);
  }
}

/** What cannot be read is nothing. */
function keptUnder(name: string): readonly OutgoingSale[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? '[]');
    return Array.isArray(kept) ? (kept as readonly OutgoingSale[]) : [];
  } catch {
    return [];
  }
}

const isUnfinished = ({ state, documentKey, document }: OutgoingSale): boolean =>
  state === 'waiting' || (state === 'booked' && documentKey !== null && !document);

/** What must not be lost when the page closes. */
const isUnanswered = (one: OutgoingSale): boolean =>
  one.state !== 'booked' || isUnfinished(one) || (one.document !== undefined && 'problem' in one.document);

const boxes = new Map<string, Outbox>();

const prefixOf = (slug: string): string => `till ${slug} `;

/** The one of a person in a store, in this tab. */
export function outboxOf(slug: string, userId: string): Outbox {
  const name = prefixOf(slug) + userId;
  const known = boxes.get(name) ?? new Outbox(slug, name);
  boxes.set(name, known);
  return known;
}

/** How many sales others have kept in this browser: only who made them can send them with the keys that make them count once. */
export function keptByOthers(slug: string, userId: string): number {
  const names = Object.keys(localStorage).filter(
    (name) => name.startsWith(prefixOf(slug)) && name !== prefixOf(slug) + userId,
  );
  return names.reduce((sum, name) => sum + keptUnder(name).length, 0);
}

export const useOutgoing = (outbox: Outbox): readonly OutgoingSale[] =>
  useSyncExternalStore(outbox.subscribe, outbox.all);
