import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import type { FiscalEvent } from '../events.js';
import type { FiscalDocument } from './document.js';
import { documentAfter, documentIdOf, isOpen } from './document.js';

/**
 * What decisions about documents build on: the numbers, every document that is not at its end, and those that came to it lately. Older ones
 * are looked up and handed to the decision.
 */
export interface FiscalState {
  /** The last number taken, by `model/series`. */
  readonly numbers: ImmutableMap<string, number>;
  readonly open: ImmutableMap<string, FiscalDocument>;
  /** Open documents by their sale. */
  readonly openBySale: ImmutableMap<string, ImmutableSet<string>>;
  readonly ended: Ended;
}

/** Two generations of documents that came to their end make forgetting cheap. */
interface Ended {
  /** Everything that ended since this revision is remembered. */
  readonly since: number;
  readonly youngSince: number;
  readonly young: ImmutableMap<string, FiscalDocument | null>;
  readonly old: ImmutableMap<string, FiscalDocument | null>;
}

/** Revisions that are remembered at least; at most twice as many. */
export const REMEMBERED = 10_000;

export const EMPTY_FISCAL: FiscalState = {
  numbers: ImmutableMap(),
  open: ImmutableMap(),
  openBySale: ImmutableMap(),
  ended: { since: 0, youngSince: 0, young: ImmutableMap(), old: ImmutableMap() },
};

export const numberKey = (model: number, series: number): string => `${String(model)}/${String(series)}`;

export const nextNumber = ({ numbers }: FiscalState, model: number, series: number): number =>
  (numbers.get(numberKey(model, series)) ?? 0) + 1;

/** Null of one that was abandoned before anything became of it. */
export function remembered(state: FiscalState, documentId: string): FiscalDocument | null | undefined {
  const { young, old } = state.ended;
  return state.open.get(documentId) ?? (young.has(documentId) ? young.get(documentId) : old.get(documentId));
}

export function evolveFiscal(state: FiscalState, event: FiscalEvent, revision: number): FiscalState {
  if (event.type === 'NumberingAdvanced') {
    const { model, series, next } = event.data;
    return { ...state, numbers: state.numbers.set(numberKey(model, series), next - 1) };
  }
  const documentId = documentIdOf(event) ?? '';
  if (event.type === 'DocumentAbandoned') return { ...state, ended: ended(state.ended, documentId, null, revision) };
  const after = documentAfter(remembered(state, documentId) ?? undefined, event, revision);
  const counted = event.type === 'DocumentPrepared' ? withNumber(state, event.data.document) : state;
  return after ? withDocument(counted, after, revision) : counted;
}

function withNumber(
  state: FiscalState,
  { model, series, number }: { readonly model: number; readonly series: number; readonly number: number | null },
): FiscalState {
  const key = numberKey(model, series);
  const last = state.numbers.get(key) ?? 0;
  return number !== null && number > last ? { ...state, numbers: state.numbers.set(key, number) } : state;
}

function withDocument(state: FiscalState, document: FiscalDocument, revision: number): FiscalState {
  const { documentId, saleId } = document.facts;
  const siblings = state.openBySale.get(saleId) ?? ImmutableSet<string>();
  if (isOpen(document)) {
    const openBySale = state.openBySale.set(saleId, siblings.add(documentId));
    return { ...state, open: state.open.set(documentId, document), openBySale };
  }
  const others = siblings.remove(documentId);
  const openBySale = others.isEmpty() ? state.openBySale.remove(saleId) : state.openBySale.set(saleId, others);
  const open = state.open.remove(documentId);
  return { ...state, open, openBySale, ended: ended(state.ended, documentId, document, revision) };
}

function ended(before: Ended, documentId: string, document: FiscalDocument | null, revision: number): Ended {
  const aged =
    revision - before.youngSince >= REMEMBERED
      ? {
          since: before.youngSince,
          youngSince: revision,
          young: ImmutableMap<string, FiscalDocument | null>(),
          old: before.young,
        }
      : before;
  return { ...aged, young: aged.young.set(documentId, document) };
}

/** The open documents of a sale, in no order. */
export const openOf = (state: FiscalState, saleId: string): readonly FiscalDocument[] =>
  [...(state.openBySale.get(saleId) ?? [])].flatMap((id) => state.open.get(id) ?? []);
