import { z } from 'zod';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { EventOf } from '../../src/kernel/events/event.js';
import { defineEvent, eventCodec } from '../../src/kernel/events/event.js';
import type { Projector } from '../../src/kernel/projections/projector.js';
import {
  recordCollection,
  recordProjector,
  rowCollection,
  rowProjector,
} from '../../src/kernel/projections/projector.js';
import type { NewEvent } from '../../src/ports/event-store.js';

/** A small world for tests of the engine: things on a shelf are named, counted and thrown away. */

const named = defineEvent('ThingNamed', 1, z.object({ id: z.string(), name: z.string() }));
const counted = defineEvent('ThingsCounted', 1, z.object({ ids: z.array(z.string()), by: z.number() }));
const thrown = defineEvent('ThingThrown', 1, z.object({ id: z.string() }));

const shelfEvents = eventCodec(named, counted, thrown);
export type ShelfEvent = EventOf<typeof named> | EventOf<typeof counted> | EventOf<typeof thrown>;

/** It counts what it applied, so that an event applied twice or left out shows. */
export interface Thing {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly applied: number;
}

const TENTH = Decimal.from('0.1');

const emptyThing = (id: string): Thing => ({ id, name: '', count: 0, applied: 0 });

export const things = recordCollection<Thing>({
  name: 'things',
  version: 1,
  hidden: ['applied'],
  columns: {
    name: { type: 'text', of: ({ name }) => name },
    count: { type: 'integer', of: ({ count }) => count },
  },
  indexes: [['name'], ['count']],
  words: ({ name }) => name,
  totals: ({ name, applied }) => [
    ['all', { things: 1, tenths: TENTH.times(Decimal.from(applied)) }],
    [`called ${name}`, { things: 1, applied }],
  ],
});

/** A name that `things` cannot take, while others can. */
export const POISON = 'poison';
/** A name that `things` can take, but no store can write. */
export const UNWRITABLE = 'unwritable';

export const thingsProjector = recordProjector(things, [shelfEvents], {
  ThingNamed: {
    ids: ({ data }) => [data.id],
    evolve(thing = emptyThing(''), { data }, id) {
      if (data.name === POISON) throw new Error('a poisonous name');
      const count = data.name === UNWRITABLE ? (10n as unknown as number) : thing.count;
      return { ...thing, id, name: data.name, count, applied: thing.applied + 1 };
    },
  },
  ThingsCounted: {
    ids: ({ data }) => data.ids,
    evolve: (thing, { data }, id) => {
      const before = thing ?? emptyThing(id);
      return { ...before, count: before.count + data.by, applied: before.applied + 1 };
    },
  },
  ThingThrown: { ids: ({ data }) => [data.id], evolve: () => undefined },
});

const names = recordCollection<{ readonly id: string; readonly names: readonly string[] }>({
  name: 'names',
  version: 1,
  isWrittenOnce: true,
  hidden: [],
  columns: { first: { type: 'text', of: ({ names: [first = null] }) => first } },
  indexes: [['first']],
});

export const namesProjector = recordProjector(names, [shelfEvents], {
  ThingNamed: {
    ids: ({ data }) => [data.id],
    evolve: (known, { data }, id) => ({ id, names: [...(known?.names ?? []), data.name] }),
  },
});

const counts = rowCollection({
  name: 'counts',
  version: 1,
  columns: { thing: 'text', by: 'integer' },
  indexes: [['thing']],
});

export const countsProjector = rowProjector(counts, [shelfEvents], {
  ThingsCounted: ({ data }) => data.ids.map((id) => ({ key: id, values: { thing: id, by: data.by } })),
});

export const projectors: readonly Projector[] = [thingsProjector, namesProjector, countsProjector];

export const SHELF_MODULE = new URL(import.meta.url);

let made = 0;

/** As a lane would write it down. */
export function shelfEvent(
  event: ShelfEvent | { readonly type: string; readonly data: unknown },
  storeId = 's1',
): NewEvent {
  made += 1;
  const meta = {
    schemaVersion: 1,
    storeId,
    actor: { kind: 'system', id: 'test', name: 'test' },
    requestId: 'request',
    causationId: `command-${made}`,
    at: '2026-11-21T12:00:00.000Z',
    hash: '',
  };
  return { id: `event-${made}`, type: event.type, data: JSON.stringify(event.data), meta: JSON.stringify(meta) };
}

export const nameThing = (id: string, name: string): ShelfEvent => ({ type: 'ThingNamed', data: { id, name } });
export const countThings = (by: number, ...ids: string[]): ShelfEvent => ({ type: 'ThingsCounted', data: { ids, by } });
export const throwThing = (id: string): ShelfEvent => ({ type: 'ThingThrown', data: { id } });

/** What the totals of these things must say. */
export function sumsOfThings(documents: readonly Thing[]): Record<string, Record<string, number>> {
  const sums: Record<string, Record<string, number>> = {};
  for (const { name, applied } of documents) {
    const all = (sums['all'] ??= { things: 0, tenths: 0 });
    all['things'] = (all['things'] ?? 0) + 1;
    all['tenths'] = (10 * (all['tenths'] ?? 0) + applied) / 10;
    const called = (sums[`called ${name}`] ??= { things: 0, applied: 0 });
    called['things'] = (called['things'] ?? 0) + 1;
    called['applied'] = (called['applied'] ?? 0) + applied;
  }
  return sums;
}
