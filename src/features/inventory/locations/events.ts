import { z } from 'zod';
import type { EventOf } from '../../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../../kernel/events/event.js';

export const locationData = z.object({
  id: z.string(),
  name: z.string(),
  isDefault: z.boolean(),
  isProductionDefault: z.boolean(),
  active: z.boolean(),
  /** A store's first location is as old as the store, not as its event. */
  createdAt: z.string(),
});

const locationCreated = defineEvent('LocationCreated', 1, locationData);
const locationChanged = defineEvent('LocationChanged', 1, locationData);
const locationDeleted = defineEvent('LocationDeleted', 1, z.object({ id: z.string() }));

export const locationEvents = eventCodec(locationCreated, locationChanged, locationDeleted);
export type LocationEvent = EventOf<typeof locationCreated | typeof locationChanged | typeof locationDeleted>;
export type LocationData = EventOf<typeof locationCreated>['data'];
