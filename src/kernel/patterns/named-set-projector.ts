import type { RecordCollection } from '../../ports/read-models.js';
import type { Recorded } from '../events/event.js';
import type { ItemData, NamedSetEvent, NamedSetEvents } from './named-set.js';
import type { RecordHandlers } from '../projections/projector.js';
import { recordCollection } from '../projections/projector.js';
import { foldText } from '../values/words.js';

/** A record of a named set as queries give it. */
export type NamedDocument<F extends object = object> = {
  readonly id: string;
  readonly name: string;
  readonly productCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Becomes the entity tag. */
  readonly revision: number;
  /** Position of the last event that changed `productCount`. */
  readonly countedAt?: string;
} & F;

export const namedCollection = <F extends object>(name: string): RecordCollection<NamedDocument<F>> =>
  recordCollection<NamedDocument<F>>({
    name,
    version: 2,
    hidden: ['revision', 'countedAt'],
    columns: { name: { type: 'text', of: (document) => foldText(document.name) } },
    indexes: [['name']],
  });

type ItemFact<Type extends string, F> = Recorded<{ readonly type: Type; readonly data: ItemData<F> }>;

/** The document as its creation leaves it; a creation is answered with it as well. */
export function createdDocument<Type extends string, F extends object>(event: ItemFact<Type, F>): NamedDocument<F> {
  const { id, name, fields } = event.data;
  const { at } = event.meta;
  return { id, name, ...fields, productCount: 0, createdAt: at, updatedAt: at, revision: event.revision };
}

/** What the facts of a named set do to its documents. */
export function namedSetHandlers<Noun extends string, Plural extends string, F extends object>(
  names: NamedSetEvents<Noun, Plural, F>,
) {
  type Fact = NamedSetEvent<Noun, Plural, F>;
  const ids = ({ data }: Recorded<Fact>) => ('ids' in data ? data.ids : [data.id]);
  return {
    [names.created]: { ids, evolve: (_: unknown, event: ItemFact<`${Noun}Created`, F>) => createdDocument(event) },
    [names.changed]: {
      ids,
      evolve: (document: NamedDocument<F> | undefined, { data, meta, revision }: ItemFact<`${Noun}Changed`, F>) =>
        document && { ...document, ...data.fields, name: data.name, updatedAt: meta.at, revision },
    },
    [names.deleted]: { ids, evolve: () => undefined },
  } as unknown as RecordHandlers<NamedDocument<F>, Fact>;
}
