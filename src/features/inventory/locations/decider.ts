import type { IfMatch } from '../../../kernel/events/if-match.js';
import { matches } from '../../../kernel/events/if-match.js';
import { Map as ImmutableMap } from 'immutable';
import { toIso } from '../../../kernel/values/clock.js';
import type { Decider, StreamType } from '../../../kernel/events/decider.js';
import { isSameJson } from '../../../kernel/values/difference.js';
import { timeOfId, uuidV5 } from '../../../kernel/values/ids.js';
import { NAME_TAKEN } from '../../../kernel/patterns/named-set.js';
import { NOT_FOUND, Rejection, STALE } from '../../../kernel/events/rejection.js';
import { foldText } from '../../../kernel/values/words.js';
import type { LocationData, LocationEvent } from './events.js';
import { locationEvents } from './events.js';
import { LOCATION_IS_DEFAULT } from './rejections.js';

export interface Location extends Omit<LocationData, 'isDefault' | 'isProductionDefault'> {
  readonly updatedAt: string;
  /** The revision of its own last change. */
  readonly revision: number;
}

/** Where a store keeps goods. One location is the default, one (often the same) that of the production. */
export interface Locations {
  readonly byId: ImmutableMap<string, Location>;
  readonly defaultId: string;
  readonly productionDefaultId: string;
}

type LocationFields = Omit<LocationData, 'id' | 'createdAt'>;

export type LocationsCommand = { readonly storeId: string } & (
  | { readonly type: 'create'; readonly id: string; readonly fields: LocationFields }
  | {
      readonly type: 'change';
      readonly id: string;
      readonly changes: Partial<LocationFields>;
      readonly ifMatch: IfMatch;
    }
  | { readonly type: 'delete'; readonly id: string; readonly ifMatch: IfMatch }
  /** Brings one back that was deleted while somebody came to use it. */
  | { readonly type: 'restore'; readonly location: LocationData }
);

const FIRST_NAME = 'Principal';
export const LOCATION_NAME_LENGTH = 120;

/** The location that a store has from its beginning; it is recorded together with the first change of any. */
const firstOf = (storeId: string): LocationData => ({
  id: uuidV5(storeId, 'first location'),
  name: FIRST_NAME,
  isDefault: true,
  isProductionDefault: true,
  active: true,
  createdAt: toIso(timeOfId(storeId)),
});

/** What was recorded, with the first location where nothing was. */
export function withFirst(locations: Locations, storeId: string): Locations {
  if (locations.byId.size > 0) return locations;
  const first = firstOf(storeId);
  return withLocation(locations, first, { revision: 0, at: first.createdAt });
}

function withLocation(
  { byId, defaultId, productionDefaultId }: Locations,
  { isDefault, isProductionDefault, ...location }: LocationData,
  { revision, at }: { readonly revision: number; readonly at: string },
): Locations {
  return {
    byId: byId.set(location.id, { ...location, updatedAt: at, revision }),
    defaultId: isDefault ? location.id : defaultId,
    productionDefaultId: isProductionDefault ? location.id : productionDefaultId,
  };
}

export const dataOf = (
  { defaultId, productionDefaultId }: Locations,
  { id, name, active, createdAt }: Location,
): LocationData => ({
  id,
  name,
  isDefault: id === defaultId,
  isProductionDefault: id === productionDefaultId,
  active,
  createdAt,
});

/** As the interface gives it. */
export const recordOf = (locations: Locations, location: Location) => ({
  ...dataOf(locations, location),
  updatedAt: location.updatedAt,
});

function isTaken({ byId }: Locations, { id, name }: Pick<LocationData, 'id' | 'name'>): boolean {
  const folded = foldText(name);
  return byId.some((other) => other.id !== id && foldText(other.name) === folded);
}

function expectFree(locations: Locations, location: LocationData): void {
  if (isTaken(locations, location)) throw new Rejection(NAME_TAKEN);
}

/** As it was; while it was away another one may have got its name, which then goes on with a number. What was deleted is no default. */
function restored(locations: Locations, location: LocationData): LocationData {
  const { id } = location;
  let { name } = location;
  for (let number = 2; isTaken(locations, { id, name }); number++) {
    const ending = ` (${String(number)})`;
    name = `${location.name.slice(0, LOCATION_NAME_LENGTH - ending.length)}${ending}`;
  }
  return { ...location, name, isDefault: false, isProductionDefault: false };
}

function expectLocation({ byId }: Locations, id: string, ifMatch: IfMatch): Location {
  const location = byId.get(id);
  if (!location) throw new Rejection(NOT_FOUND);
  if (!matches(ifMatch, location.revision)) throw new Rejection(STALE);
  return location;
}

const needsToBeActive = ({ isDefault, isProductionDefault, active }: LocationData): boolean =>
  (isDefault || isProductionDefault) && !active;

function change(locations: Locations, command: Extract<LocationsCommand, { type: 'change' }>): LocationEvent[] {
  const before = dataOf(locations, expectLocation(locations, command.id, command.ifMatch));
  const after = { ...before, ...command.changes };
  expectFree(locations, after);
  const gaveUp = (before.isDefault && !after.isDefault) || (before.isProductionDefault && !after.isProductionDefault);
  if (gaveUp || needsToBeActive(after)) throw new Rejection(LOCATION_IS_DEFAULT);
  if (isSameJson(after, before)) return [];
  return [{ type: 'LocationChanged', data: after }];
}

function decideOn(locations: Locations, command: LocationsCommand, at: string): LocationEvent[] {
  switch (command.type) {
    case 'create': {
      const data = { ...command.fields, id: command.id, createdAt: at };
      expectFree(locations, data);
      if (needsToBeActive(data)) throw new Rejection(LOCATION_IS_DEFAULT);
      return [{ type: 'LocationCreated', data }];
    }
    case 'change':
      return change(locations, command);
    case 'delete': {
      const { id } = expectLocation(locations, command.id, command.ifMatch);
      if (id === locations.defaultId || id === locations.productionDefaultId) throw new Rejection(LOCATION_IS_DEFAULT);
      return [{ type: 'LocationDeleted', data: { id } }];
    }
    case 'restore': {
      const { location } = command;
      if (locations.byId.has(location.id)) return [];
      return [{ type: 'LocationCreated', data: restored(locations, location) }];
    }
  }
}

const decider: Decider<Locations, LocationsCommand, LocationEvent> = {
  initial: { byId: ImmutableMap(), defaultId: '', productionDefaultId: '' },
  evolve(locations, event, moment) {
    if (event.type !== 'LocationDeleted') return withLocation(locations, event.data, moment);
    return { ...locations, byId: locations.byId.remove(event.data.id) };
  },
  decide(locations, command, at) {
    const facts = decideOn(withFirst(locations, command.storeId), command, at);
    if (facts.length === 0 || locations.byId.size > 0) return facts;
    return [{ type: 'LocationCreated', data: firstOf(command.storeId) }, ...facts];
  },
};

export const locations: StreamType<Locations, LocationsCommand, LocationEvent> = {
  category: 'locations',
  decider,
  events: locationEvents,
  weigh: ({ byId }) => byId.size,
};
