import type {
  Checkpoint,
  CollectionWrites,
  Generation,
  RecordCollection,
  Row,
  RowKeys,
} from '../../src/ports/read-models.js';
import { recordCollection, rowCollection } from '../../src/kernel/projections/projector.js';

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly category: string | null;
  readonly price: number | null;
  readonly stock: number;
  readonly cost: string;
  readonly revision: number;
}

export const products = recordCollection<Product>({
  name: 'products',
  version: 1,
  hidden: ['cost', 'revision'],
  isShownByRecord: true,
  subjectsOf: (id, product) => (typeof product?.category === 'string' ? [id, `of ${product.category}`] : [id]),
  columns: {
    name: { type: 'text', of: ({ name }) => name },
    category: { type: 'id', of: ({ category }) => category },
    price: { type: 'real', of: ({ price }) => price },
    stock: { type: 'integer', of: ({ stock }) => stock },
  },
  /** The words of its text, as they stand there. */
  keys: { mention: { type: 'text', of: ({ text }) => text.split(' ').filter((word) => word !== '') } },
  indexes: [['name'], ['category', 'name'], ['price'], ['stock'], ['mention', 'name', 'category', 'price']],
  words: ({ name, text }) => `${name} ${text}`,
  totals: ({ stock }) => [['all', { count: 1, stock }]],
});

/** Long documents that have much in common. */
export interface Letter {
  readonly id: string;
  readonly to: string | null;
  readonly text: string;
  readonly secret: string;
}

export const letters = recordCollection<Letter>({
  name: 'letters',
  version: 1,
  hidden: ['secret'],
  columns: { to: { type: 'id', of: ({ to }) => to } },
  indexes: [['to']],
  typicalBody: JSON.stringify({ id: 'letter', to: null, text: 'To whom it may concern' }),
});

/** `order` is a word that means something to many stores. */
export const moves = rowCollection({
  name: 'moves',
  version: 1,
  columns: { lot: 'id', at: 'text', order: 'text', quantity: 'real', units: 'integer' },
  keys: { person: 'text', number: 'integer' },
  indexes: [['lot', 'at'], ['order'], ['person', 'at'], ['person', 'lot', 'units'], ['number', 'at']],
  subjects: ['lot', 'order'],
});

type Move = Row<keyof typeof moves.columns>;

export const LOG = 'log-one';

export const position = (number: number): string => String(number).padStart(12, '0');

export function product(id: string, changes: Partial<Product> = {}): Product {
  const rest = { name: `Product ${id}`, text: '', category: null, price: 1.5, stock: 10, cost: '0.25', revision: 0 };
  return { id, ...rest, ...changes };
}

export const checkpoint = (
  number: number,
  collection: { readonly name: string; readonly version: number } = products,
  generation: Generation = 'live',
): Checkpoint => ({
  collection: collection.name,
  version: collection.version,
  generation,
  logId: LOG,
  position: position(number),
});

interface Placement {
  readonly at: number;
  readonly store?: string;
  readonly generation?: Generation;
}

/** Puts the products; all of them last saw the event at that position. */
export const put = (documents: readonly Product[], { at, store = 's1', generation = 'live' }: Placement) => ({
  collection: products as RecordCollection<never>,
  generation,
  records: documents.map((document) => ({ store, id: document.id, document, position: position(at) })),
  rows: [],
});

export const remove = (ids: readonly string[], { at, store = 's1', generation = 'live' }: Placement) => ({
  collection: products as RecordCollection<never>,
  generation,
  records: ids.map((id) => ({ store, id, document: undefined, position: position(at) })),
  rows: [],
});

/** `keys` says by what the rows are found beside their values. */
export const add = (
  values: readonly Partial<Move>[],
  { at, store = 's1', generation = 'live' }: Placement,
  keys: readonly RowKeys[] = [],
): CollectionWrites => ({
  collection: moves,
  generation,
  records: [],
  rows: values.map((value, index) => ({
    store,
    id: `${position(at)}:${String(index).padStart(5, '0')}`,
    values: { lot: 'lot', at: '2026-01-01', order: null, quantity: 1, units: 1, ...value },
    keys: keys[index],
    position: position(at),
  })),
});
