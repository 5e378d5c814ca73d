import type { IfMatch } from '../../kernel/events/if-match.js';
import { matches } from '../../kernel/events/if-match.js';
import { Map as ImmutableMap } from 'immutable';
import type { Decider, StreamType } from '../../kernel/events/decider.js';
import { difference } from '../../kernel/values/difference.js';
import { NOT_FOUND, Rejection, STALE, rejection } from '../../kernel/events/rejection.js';
import type { FiscalChange, FiscalSettings } from '../contracts/fiscal-settings.js';
import { NO_FISCAL_SETTINGS, withFiscalChange } from '../contracts/fiscal-settings.js';
import type { PlanName, StoreEvent, StoreRecord, StoreSettings } from './events.js';
import { storeEvents } from './events.js';

export const SLUG_TAKEN = rejection(409, 'SLUG_TAKEN', 'Another store has this slug');

export interface Store extends StoreRecord {
  readonly fiscal: FiscalSettings;
  /** The revision of its own last change. */
  readonly revision: number;
}

/** All stores of the installation: their slugs are unique. */
export interface Stores {
  readonly byId: ImmutableMap<string, Store>;
  readonly idBySlug: ImmutableMap<string, string>;
}

/** What a change leaves out stays; of the modules as well. */
export type StoreChanges = Partial<Omit<StoreSettings, 'modules'>> & {
  readonly modules?: Partial<StoreSettings['modules']>;
};

type StoresCommand =
  | { readonly type: 'create'; readonly store: StoreRecord }
  | {
      readonly type: 'change';
      readonly id: string;
      readonly changes: StoreChanges;
      /** Undefined where they stay. */
      readonly fiscal?: FiscalChange | undefined;
      readonly ifMatch: IfMatch;
    }
  | { readonly type: 'setPlan'; readonly id: string; readonly plan: PlanName };

export const planOf = (name: PlanName): StoreRecord['plan'] => ({ name, apiAccess: name === 'api' });

function expectStore({ byId }: Stores, id: string): Store {
  const store = byId.get(id);
  if (!store) throw new Rejection(NOT_FOUND);
  return store;
}

function settingsOf(store: Store): StoreSettings {
  const { id: _id, slug: _slug, plan: _plan, revision: _revision, fiscal: _fiscal, ...settings } = store;
  return settings;
}

function change(stores: Stores, command: Extract<StoresCommand, { type: 'change' }>): StoreEvent[] {
  const { id, changes, fiscal, ifMatch } = command;
  const store = expectStore(stores, id);
  if (!matches(ifMatch, store.revision)) throw new Rejection(STALE);
  const before = settingsOf(store);
  const after = { ...before, ...changes, modules: { ...before.modules, ...changes.modules } };
  const events: StoreEvent[] = [];
  const settingsDiffer = difference(before, after);
  if (settingsDiffer) events.push({ type: 'StoreChanged', data: { id, ...after, was: settingsDiffer.was } });
  const fiscalAfter = fiscal ? withFiscalChange(store.fiscal, fiscal) : store.fiscal;
  const fiscalDiffers = difference(store.fiscal, fiscalAfter);
  if (fiscalDiffers) {
    events.push({ type: 'StoreFiscalSettingsChanged', data: { id, fiscal: fiscalAfter, was: fiscalDiffers.was } });
  }
  return events;
}

function decide(stores: Stores, command: StoresCommand): StoreEvent[] {
  switch (command.type) {
    case 'create':
      if (stores.idBySlug.has(command.store.slug)) throw new Rejection(SLUG_TAKEN);
      return [{ type: 'StoreCreated', data: command.store }];
    case 'change':
      return change(stores, command);
    case 'setPlan': {
      const { id, plan } = command;
      if (expectStore(stores, id).plan.name === plan) return [];
      return [{ type: 'StorePlanChanged', data: { id, plan: planOf(plan) } }];
    }
  }
}

const decider: Decider<Stores, StoresCommand, StoreEvent> = {
  initial: { byId: ImmutableMap(), idBySlug: ImmutableMap() },
  evolve({ byId, idBySlug }, event, { revision }) {
    const { id } = event.data;
    if (event.type === 'StoreCreated') {
      const created = { ...event.data, fiscal: NO_FISCAL_SETTINGS, revision };
      return { byId: byId.set(id, created), idBySlug: idBySlug.set(event.data.slug, id) };
    }
    const store = byId.get(id);
    if (!store) return { byId, idBySlug };
    const { was: _was, ...changed } = { was: undefined, ...event.data };
    return { byId: byId.set(id, { ...store, ...changed, revision }), idBySlug };
  },
  decide,
};

/** One stream for the installation. */
export const STORES_STREAM = 'stores';

export const stores: StreamType<Stores, StoresCommand, StoreEvent> = {
  category: STORES_STREAM,
  decider,
  events: storeEvents,
  weigh: ({ byId }) => byId.size,
};
