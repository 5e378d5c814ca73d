import type { StoredEvent } from '../../../ports/event-store.js';
import { positionText } from './position.js';
import type { EventRow } from './protocol.js';

export const storedEvent = ([position, stream, revision, id, type, data, meta]: EventRow): StoredEvent => ({
  id,
  type,
  data,
  meta,
  stream,
  revision,
  position: positionText(position),
});
