import { Map as ImmutableMap } from 'immutable';
import type { Decider, StreamType } from '../../kernel/decider.js';
import { Rejection, rejection } from '../../kernel/rejection.js';
import type { StoreEvent, StoreRecord } from './events.js';
import { storeEvents } from './events.js';

export const SLUG_TAKEN = rejection(409, 'SLUG_TAKEN', 'Another store has this slug');

/** All stores of the installation: their slugs are unique. */
export interface Stores {
  readonly byId: ImmutableMap<string, StoreRecord>;
  readonly idBySlug: ImmutableMap<string, string>;
}

export interface CreateStore {
  readonly type: 'create';
  readonly store: StoreRecord;
}

const decider: Decider<Stores, CreateStore, StoreEvent> = {
  initial: { byId: ImmutableMap(), idBySlug: ImmutableMap() },
  evolve: ({ byId, idBySlug }, { data }) => ({
    byId: byId.set(data.id, data),
    idBySlug: idBySlug.set(data.slug, data.id),
  }),
  decide({ idBySlug }, { store }) {
    if (idBySlug.has(store.slug)) throw new Rejection(SLUG_TAKEN);
    return [{ type: 'StoreCreated', data: store }];
  },
};

export const stores: StreamType<Stores, CreateStore, StoreEvent> = {
  category: 'stores',
  decider,
  events: storeEvents,
  weigh: ({ byId }) => byId.size,
};
