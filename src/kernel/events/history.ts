import type { Decimal } from '../values/decimal.js';
import type { DomainEvent } from './event.js';

/** What an event tells people: which records it is about, and a sentence in each language. It stands beside the event's definition. */

/** A record by its kind, which is a noun of the interface, and its id. */
export interface Entity {
  readonly kind: string;
  readonly id: string;
}

export const LANGUAGES = ['pt', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** How a sentence writes what an event holds. */
export interface Voice {
  /** What a record, or a part of it, was called when the event happened; a short form of its id where nobody knows. */
  name(kind: string, id: string, part?: string): string;
  number(value: Decimal | number): string;
  /** How much there is of a variant, in its unit: `10 kg`, `3`. */
  quantity(value: Decimal, variantId: string): string;
  /** The same with what it was called: `10 kg de Farinha`, `3 × Pão`. Of what was recorded with its unit and its name, those. */
  goods(value: Decimal, of: string | { readonly unit: string; readonly description: string }): string;
  /** An amount in reais. */
  money(value: Decimal): string;
  flag(value: boolean): string;
  /** A few of them, and how many there are beyond those. */
  list(items: readonly string[]): string;
}

export interface EventHistory<D> {
  /** The record that it is most about comes first. */
  about(data: D): readonly Entity[];
  /** Kinds of records that it changes beside those, as what counts for all of them does; who follows the store is told of them. */
  readonly kinds?: readonly string[];
  /** Those of them whose own record it changes, where it leaves others as they were: goods leave a lot, somebody buys. All of them unless it says so. */
  changes?(data: D): readonly Entity[];
  readonly pt: (data: D, say: Voice) => string;
  readonly en: (data: D, say: Voice) => string;
}

/** One for every kind of event of a codec: a kind without one does not compile. */
export type Histories<E extends DomainEvent> = {
  readonly [T in E['type']]: EventHistory<Extract<E, { readonly type: T }>['data']>;
};

/** `1 insumo`, `4 insumos`. */
export const counted = (count: number, one: string, many: string): string =>
  `${String(count)} ${count === 1 ? one : many}`;

/** `10/2026` for `2026-10`. */
export const monthWritten = (month: string): string => month.split('-').reverse().join('/');

export const entity = (kind: string, id: string): Entity => ({ kind, id });

/** Each record once, in the order in which they are first named. */
export function distinctEntities(entities: readonly Entity[]): readonly Entity[] {
  const seen = new Set<string>();
  return entities.filter(({ kind, id }) => {
    const key = `${kind}:${id}`;
    return !seen.has(key) && seen.add(key);
  });
}
