import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import type { SnapshotCodec } from '../../../kernel/events/decider.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { EarlierText, FiscalDocument, SignedText } from './document.js';
import type { FiscalState } from './state.js';

/** The state in parts of one document each. */

type Stored<T extends SignedText> = Omit<T, 'total'> & { readonly total: string | null };
/** Snapshots of earlier releases hold earlier texts under the document's own key alone, and do not say so. */
type StoredText = Omit<Stored<EarlierText>, 'accessKey' | 'contingency'> &
  Partial<Pick<EarlierText, 'accessKey' | 'contingency'>>;
type StoredDocument = Omit<Stored<FiscalDocument>, 'earlier'> & { readonly earlier: readonly StoredText[] };
type Part =
  | {
      readonly part: 'numbers';
      readonly numbers: readonly (readonly [string, number])[];
      readonly since: number;
      readonly youngSince: number;
    }
  | {
      readonly part: 'document';
      readonly id: string;
      readonly place: 'open' | 'young' | 'old';
      readonly document: StoredDocument | FiscalDocument | null;
    };

export const fiscalSnapshot: SnapshotCodec<FiscalState> = {
  version: 3,
  *save({ numbers, open, ended: { since, youngSince, young, old } }): Generator<Part> {
    yield { part: 'numbers', numbers: [...numbers], since, youngSince };
    for (const [id, document] of open) yield { part: 'document', id, place: 'open', document };
    for (const [id, document] of young) yield { part: 'document', id, place: 'young', document };
    for (const [id, document] of old) yield { part: 'document', id, place: 'old', document };
  },
  load() {
    let numbers = ImmutableMap<string, number>();
    let times = { since: 0, youngSince: 0 };
    const places = {
      open: ImmutableMap<string, FiscalDocument | null>().asMutable(),
      young: ImmutableMap<string, FiscalDocument | null>().asMutable(),
      old: ImmutableMap<string, FiscalDocument | null>().asMutable(),
    };
    let openBySale = ImmutableMap<string, ImmutableSet<string>>();
    const add = (part: Part): void => {
      if (part.part === 'numbers') {
        numbers = ImmutableMap(part.numbers);
        times = { since: part.since, youngSince: part.youngSince };
        return;
      }
      const { id, place } = part;
      const document = part.document && loaded(part.document);
      places[place].set(id, document);
      if (place === 'open' && document) {
        openBySale = openBySale.update(document.facts.saleId, ImmutableSet(), (ids) => ids.add(id));
      }
    };
    return {
      add: (part) => {
        add(part as Part);
      },
      state() {
        const open = places.open.filter((document): document is FiscalDocument => document !== null);
        const ended = { ...times, young: places.young.asImmutable(), old: places.old.asImmutable() };
        return { numbers, open: open.asImmutable(), openBySale, ended };
      },
    };
  },
};

function loaded(document: StoredDocument | FiscalDocument): FiscalDocument {
  const { accessKey, contingency } = document.facts;
  const earlier = document.earlier.map((text) => ({ accessKey, contingency, ...text, total: totalOf(text) }));
  return { ...document, total: totalOf(document), earlier };
}

const totalOf = ({ total }: { readonly total: string | Decimal | null }): Decimal | null =>
  total === null ? null : Decimal.from(String(total));
