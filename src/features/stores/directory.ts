import type { CommandLanes } from '../../kernel/lanes/lanes.js';
import type { Store } from './decider.js';
import { STORES_STREAM, stores } from './decider.js';

export interface StoresBySlug {
  byId(id: string): Promise<Store | undefined>;
  bySlug(slug: string): Promise<Store | undefined>;
  all(): Promise<readonly Store[]>;
}

/** Finds the stores of the installation. */
export const storeDirectory = (lanes: CommandLanes): StoresBySlug => ({
  async byId(id) {
    // Every request asks for its store. One that is not there yet may have been made just now, elsewhere.
    const { state } = await lanes.current(stores, STORES_STREAM, lanes.recent);
    return state.byId.get(id) ?? (await lanes.current(stores, STORES_STREAM)).state.byId.get(id);
  },
  async bySlug(slug) {
    const { state } = await lanes.current(stores, STORES_STREAM);
    return state.byId.get(state.idBySlug.get(slug) ?? '');
  },
  async all() {
    const { state } = await lanes.current(stores, STORES_STREAM);
    return [...state.byId.values()];
  },
});
