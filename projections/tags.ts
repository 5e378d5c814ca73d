import { tagEvents } from '../src/features/tags/events.js';
import { namedCollection, namedSetHandlers } from '../src/kernel/named-set-projector.js';
import { recordProjector } from '../src/kernel/projector.js';

export const tags = namedCollection('tags');

export const tagsProjector = recordProjector(tags, [tagEvents.codec], namedSetHandlers(tagEvents));
