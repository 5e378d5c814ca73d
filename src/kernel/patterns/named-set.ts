import type { IfMatch } from '../events/if-match.js';
import { matches } from '../events/if-match.js';
import { Map as ImmutableMap } from 'immutable';
import { z } from 'zod';
import type { Decider, SnapshotCodec } from '../events/decider.js';
import { folding } from '../events/decider.js';
import { isSameJson } from '../values/difference.js';
import type { EventCodec } from '../events/event.js';
import { defineEvent, eventCodec } from '../events/event.js';
import { NOT_FOUND, Rejection, STALE, rejection } from '../events/rejection.js';
import { foldText } from '../values/words.js';

/** A store's small set of records with unique names: categories, brands, tags, locations … */

export const NAME_TAKEN = rejection(409, 'NAME_TAKEN', 'Another record has this name');

export interface ItemData<F> {
  readonly id: string;
  readonly name: string;
  readonly fields: F;
}

interface NamedItem<F> extends ItemData<F> {
  /** The revision of its own last change. */
  readonly revision: number;
}

export interface NamedSet<F> {
  readonly items: ImmutableMap<string, NamedItem<F>>;
  readonly idByName: ImmutableMap<string, string>;
}

export type NamedSetCommand<F> =
  | {
      readonly type: 'create';
      readonly items: readonly ItemData<F>[];
      /** Items whose name is taken are left out, whatever the set does otherwise. */
      readonly skipTaken?: boolean;
    }
  | {
      readonly type: 'change';
      readonly id: string;
      readonly name: string;
      readonly fields: Partial<F>;
      readonly ifMatch: IfMatch;
    }
  | { readonly type: 'delete'; readonly id: string; readonly ifMatch: IfMatch }
  /** Unknown ids are ignored. */
  | { readonly type: 'deleteMany'; readonly ids: readonly string[] };

/** What a taken name does to a creation: it is refused, or the record that has it is selected instead. */
type OnTakenName = 'refuse' | 'select';

export type NamedSetEvent<Noun extends string, Plural extends string, F> =
  | { readonly type: `${Noun}Created`; readonly data: ItemData<F> }
  | { readonly type: `${Noun}Changed`; readonly data: ItemData<F> }
  | { readonly type: `${Plural}Deleted`; readonly data: { readonly ids: readonly string[] } };

export interface NamedSetEvents<Noun extends string, Plural extends string, F> {
  readonly created: `${Noun}Created`;
  readonly changed: `${Noun}Changed`;
  readonly deleted: `${Plural}Deleted`;
  readonly codec: EventCodec<NamedSetEvent<Noun, Plural, F>>;
}

/** The three facts of a named set: `CategoryCreated`, `CategoryChanged`, `CategoriesDeleted`. */
export function namedSetEvents<const Noun extends string, const Plural extends string, S extends z.ZodObject>(
  noun: Noun,
  plural: Plural,
  fields: S,
): NamedSetEvents<Noun, Plural, z.output<S>> {
  const item = z.object({ id: z.string(), name: z.string(), fields });
  const created = defineEvent(`${noun}Created` as const, 1, item);
  const changed = defineEvent(`${noun}Changed` as const, 1, item);
  const deleted = defineEvent(`${plural}Deleted` as const, 1, z.object({ ids: z.array(z.string()) }));
  return {
    created: created.type,
    changed: changed.type,
    deleted: deleted.type,
    codec: eventCodec(created, changed, deleted) as unknown as EventCodec<NamedSetEvent<Noun, Plural, z.output<S>>>,
  };
}

function withItem<F>(set: NamedSet<F>, item: NamedItem<F>): NamedSet<F> {
  const before = set.items.get(item.id);
  const names = before ? set.idByName.remove(foldText(before.name)) : set.idByName;
  return { items: set.items.set(item.id, item), idByName: names.set(foldText(item.name), item.id) };
}

function withoutItem<F>(set: NamedSet<F>, id: string): NamedSet<F> {
  const before = set.items.get(id);
  if (!before) return set;
  return { items: set.items.remove(id), idByName: set.idByName.remove(foldText(before.name)) };
}

export const idOfName = <F>(set: NamedSet<F>, name: string): string | undefined => set.idByName.get(foldText(name));

/** The record of a command, as the client last saw it. */
function expectItem<F>(set: NamedSet<F>, id: string, ifMatch: IfMatch): NamedItem<F> {
  const item = set.items.get(id);
  if (!item) throw new Rejection(NOT_FOUND);
  if (!matches(ifMatch, item.revision)) throw new Rejection(STALE);
  return item;
}

/** Everything a stream type needs but its category. */
export function namedSet<Noun extends string, Plural extends string, F extends object>(
  names: NamedSetEvents<Noun, Plural, F>,
  onTakenName: OnTakenName,
) {
  type Fact = NamedSetEvent<Noun, Plural, F>;
  const emptySet: NamedSet<F> = { items: ImmutableMap(), idByName: ImmutableMap() };

  const create = (set: NamedSet<F>, items: readonly ItemData<F>[], skipTaken: boolean): Fact[] => {
    const facts: Fact[] = [];
    const taken = new Set<string>();
    for (const { id, name, fields } of items) {
      const folded = foldText(name);
      if (set.idByName.has(folded) || taken.has(folded)) {
        if (!skipTaken) throw new Rejection(NAME_TAKEN);
        continue;
      }
      taken.add(folded);
      facts.push({ type: names.created, data: { id, name, fields } });
    }
    return facts;
  };

  const change = (set: NamedSet<F>, command: Extract<NamedSetCommand<F>, { type: 'change' }>): Fact[] => {
    const { id, name, ifMatch } = command;
    const item = expectItem(set, id, ifMatch);
    const holder = idOfName(set, name);
    if (holder !== undefined && holder !== id) throw new Rejection(NAME_TAKEN);
    const fields = { ...item.fields, ...command.fields };
    if (name === item.name && isSameJson(fields, item.fields)) return [];
    return [{ type: names.changed, data: { id, name, fields } }];
  };

  const remove = (set: NamedSet<F>, ids: readonly string[]): Fact[] => {
    const known = [...new Set(ids)].filter((id) => set.items.has(id));
    return known.length === 0 ? [] : [{ type: names.deleted, data: { ids: known } }];
  };

  const decider: Decider<NamedSet<F>, NamedSetCommand<F>, Fact> = {
    initial: emptySet,
    evolve: (set, { data }, { revision }) =>
      'ids' in data ? data.ids.reduce(withoutItem<F>, set) : withItem(set, { ...data, revision }),
    decide(set, command) {
      switch (command.type) {
        case 'create':
          return create(set, command.items, onTakenName === 'select' || command.skipTaken === true);
        case 'change':
          return change(set, command);
        case 'delete':
          expectItem(set, command.id, command.ifMatch);
          return remove(set, [command.id]);
        case 'deleteMany':
          return remove(set, command.ids);
      }
    },
  };

  const snapshot: SnapshotCodec<NamedSet<F>> = {
    version: 1,
    save: (set) => set.items.values(),
    load: folding<NamedSet<F>>(emptySet, (set, item) => withItem(set, item as NamedItem<F>)),
  };
  return { decider, events: names.codec, snapshot, weigh: (set: NamedSet<F>) => set.items.size };
}
