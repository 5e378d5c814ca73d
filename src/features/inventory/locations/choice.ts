import { notFoundAt } from '../../../kernel/events/rejection.js';
import type { Commands } from '../../../kernel/lanes/commands.js';
import type { Location, Locations } from './decider.js';
import { locations, withFirst } from './decider.js';
import { boundedCache } from '../../../kernel/values/bounded-cache.js';

/** The first state of stores that have recorded none; every sale asks. */
const firsts = boundedCache<Locations>(10_000);

/** The locations of the context's store, its first one included. */
export async function locationsOf(context: Commands, how: 'current' | 'recent' = 'current'): Promise<Locations> {
  const { storeId } = context;
  const recorded = await context[how](locations);
  if (recorded.byId.size > 0) return recorded;
  const known = firsts.get(storeId) ?? withFirst(recorded, storeId);
  firsts.set(storeId, known);
  return known;
}

interface LocationChoice {
  /** As the request names it. */
  readonly locationId: string | undefined;
  /** Where in the request it stands. */
  readonly path: string;
  /** What serves a request that names none. */
  readonly otherwise: 'defaultId' | 'productionDefaultId';
  /** Goods only leave it, for another location or for good: an inactive one can be emptied. */
  readonly emptied?: boolean;
}

/** The location to use; one that is unknown, or inactive and not to be emptied, is refused with its path. */
export function chooseLocation(
  known: Locations,
  { locationId, path, otherwise, emptied = false }: LocationChoice,
): Location {
  const location = known.byId.get(locationId ?? known[otherwise]);
  if (!location || !(location.active || emptied)) throw notFoundAt(path);
  return location;
}

/** Chooses among the locations of the context's store, by what a request names and where in it that stands. */
export async function locationChooser(context: Commands, otherwise: LocationChoice['otherwise']) {
  const known = await locationsOf(context);
  return (locationId: string | undefined, path: string, emptied = false): string =>
    chooseLocation(known, { locationId, path, otherwise, emptied }).id;
}
