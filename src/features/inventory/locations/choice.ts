import { notFoundAt } from '../../../kernel/rejection.js';
import type { Commands } from '../../../kernel/route.js';
import type { Location, Locations } from './decider.js';
import { locations, withFirst } from './decider.js';

/** The locations of the context's store, its first one included. */
export const locationsOf = async (context: Commands): Promise<Locations> =>
  withFirst(await context.current(locations), context.storeId);

export interface LocationChoice {
  /** As the request names it. */
  readonly locationId: string | undefined;
  /** Where in the request it stands. */
  readonly path: string;
  /** What serves a request that names none. */
  readonly otherwise: 'defaultId' | 'productionDefaultId';
}

/** The location to use; one that is unknown or inactive is refused with its path. */
export function chooseLocation(known: Locations, { locationId, path, otherwise }: LocationChoice): Location {
  const location = known.byId.get(locationId ?? known[otherwise]);
  if (!location?.active) throw notFoundAt(path);
  return location;
}
