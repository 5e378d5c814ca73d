import type { components } from 'openapi-client';
import { useSyncExternalStore } from 'preact/compat';
import { api, body } from '../../client/api.js';
import type { Problem } from '../../client/problem.js';
import { refusalOf } from '../../client/problem.js';
import { refreshKinds } from '../../client/queries.js';
import { storeSlug, userId } from '../../client/session.js';
import { newId } from '../../values/ids.js';
import type { Cart } from './cart.js';
import { boxName, itemsOfOthers, keptItems } from './kept-items.js';

/**
 * Sales that were finished and not answered yet. Each keeps the key of its idempotency, in the browser too, until the service has
 * answered it: however often it is sent, it is booked once. They are no secret.
 */

type NewSale = components['schemas']['SaleBody'];

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
  /** False where the browser refuses to keep anything. */
  keeps = true;

  constructor(private readonly name: string) {
    this.sales = kept(keptItems(name));
    this.giveItemsOfTheirOwn();
    addEventListener('storage', this.hear);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly all = (): readonly OutgoingSale[] => this.sales;

  add(sale: Omit<OutgoingSale, 'state' | 'tries'>): void {
    const added: OutgoingSale = { ...sale, state: 'waiting', tries: 0 };
    this.keep(added);
    this.show([...this.sales.filter(isUnanswered), added]);
    this.wake();
  }

  /** Sends again what was refused, as it was paid, once what was in its way is mended: a new intention, whose key this gives. */
  sendAnew(one: OutgoingSale, changes: Partial<NewSale> = {}): string {
    const key = newId();
    this.remove(one.key);
    this.add({ ...one, key, at: Date.now(), sale: { ...one.sale, ...changes } });
    return key;
  }

  /** The same where there is too little of what it sells. */
  sellBelowZero(one: OutgoingSale): string {
    return this.sendAnew(one, { allowNegativeStock: true });
  }

  /** Somebody looked, and it is not there. */
  sendAgain(key: string): void {
    this.change(key, { state: 'waiting', at: Date.now(), tries: 0 });
    this.wake();
  }

  remove(key: string): void {
    localStorage.removeItem(this.itemOf(key));
    this.show(this.sales.filter((one) => one.key !== key));
  }

  /** Tries at once what waits. */
  readonly wake = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    void this.sendNext();
  };

  private async sendNext(): Promise<void> {
    // Its sales are of one person in one store, whoever the tab is of by now.
    if (this.sending !== undefined || boxName(storeSlug() ?? '', userId() ?? '') !== this.name) return;
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
    const before = this.sales.find((one) => one.key === key);
    // Another tab may have put it right, thrown it away, or booked it before.
    if (!before || !isUnanswered(before)) return;
    const changed = { ...before, ...changes };
    this.keep(changed);
    if (!isUnanswered(changed)) localStorage.removeItem(this.itemOf(key));
    this.show(this.sales.map((one) => (one === before ? changed : one)));
  }

  /** Earlier versions kept all in one item. */
  private giveItemsOfTheirOwn(): void {
    if (localStorage.getItem(this.name) === null) return;
    for (const one of this.sales) this.keep(one);
    if (this.keeps) localStorage.removeItem(this.name);
  }

  private readonly itemOf = (key: string): string => `${this.name} ${key}`;

  /** Tells other tabs, too. */
  private keep(one: OutgoingSale): void {
    try {
      localStorage.setItem(this.itemOf(one.key), JSON.stringify(one));
      this.keeps = true;
    } catch {
      this.keeps = false;
    }
  }

  private show(sales: readonly OutgoingSale[]): void {
    this.sales = sales;
    for (const listener of this.listeners) listener();
  }

  /** What another tab did with one of them; what it has booked is still shown here by who sold it. */
  private readonly hear = ({ key: item, newValue }: StorageEvent): void => {
    if (item === null || !item.startsWith(this.itemOf(''))) return;
    const key = item.slice(this.itemOf('').length);
    const [theirs] = readItem(newValue);
    const isKnown = this.sales.some((one) => one.key === key);
    if (!theirs) this.show(this.sales.filter((one) => one.key !== key || !isUnanswered(one)));
    else if (isKnown) this.show(this.sales.map((one) => (one.key === key ? theirs : one)));
    else if (isUnanswered(theirs)) this.show([...this.sales, theirs]);
    // The tab that has it sends it itself, unless it is closed before.
    if (this.timer === undefined && this.sales.some(isUnfinished)) this.later();
  };
}

/** What cannot be read is nothing. */
function readItem(text: string | null): readonly OutgoingSale[] {
  try {
    const kept = JSON.parse(text ?? '[]') as OutgoingSale | readonly OutgoingSale[];
    return [kept].flat();
  } catch {
    return [];
  }
}

const kept = (items: readonly string[]): readonly OutgoingSale[] =>
  items.flatMap((item) => readItem(localStorage.getItem(item))).sort((one, other) => one.at - other.at);

const isUnfinished = ({ state, documentKey, document }: OutgoingSale): boolean =>
  state === 'waiting' || (state === 'booked' && documentKey !== null && !document);

/** What must not be lost when the page closes. */
const isUnanswered = (one: OutgoingSale): boolean =>
  one.state !== 'booked' || isUnfinished(one) || hasFailedDocument(one);

const hasFailedDocument = ({ document }: OutgoingSale): boolean => document !== undefined && 'problem' in document;

/** Whether somebody has to look at it. */
export const needsLook = (one: OutgoingSale): boolean =>
  one.state === 'refused' || one.state === 'old' || hasFailedDocument(one);

/** Whether it was tried, and not answered. */
export const isHeldUp = ({ state, tries }: OutgoingSale): boolean => state === 'waiting' && tries > 0;

/** Whether it was refused because there is less than it takes. */
export const isShort = ({ state, problem }: OutgoingSale): boolean =>
  state === 'refused' && problem?.code === 'INSUFFICIENT_STOCK';

/** What its lines are called: at the till they stand the last one first, and beside it not at all. */
export const namesOfLines = ({ cart }: OutgoingSale): readonly string[] =>
  cart.lines.map(({ description }) => description);

const boxes = new Map<string, Outbox>();

/** The one of a person in a store, in this tab. */
export function outboxOf(slug: string, userId: string): Outbox {
  const name = boxName(slug, userId);
  const known = boxes.get(name) ?? new Outbox(name);
  boxes.set(name, known);
  return known;
}

/** How many sales others have kept in this browser: only who made them can send them with the keys that make them count once. */
export const keptByOthers = (slug: string, userId: string): number => kept(itemsOfOthers(slug, userId)).length;

export const useOutgoing = (outbox: Outbox): readonly OutgoingSale[] =>
  useSyncExternalStore(outbox.subscribe, outbox.all);
