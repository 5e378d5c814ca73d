import type { LocationDirectory } from '../../contracts/location-directory.js';
import { locationsOf } from './choice.js';

/** What other features ask of the locations. */
export const locationDirectory: LocationDirectory = {
  async names(context) {
    const { byId } = await locationsOf(context, 'recent');
    return new Map([...byId.values()].map(({ id, name }) => [id, name]));
  },
};
