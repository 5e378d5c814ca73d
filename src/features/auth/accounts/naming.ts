import { recordedEvent } from '../../../kernel/events/recorded.js';
import type { Naming } from '../../contracts/audited-record.js';
import { accountStream } from './directory.js';
import { accountEvents } from './events.js';

const TELLING: ReadonlySet<string> = new Set(['AccountRegistered', 'AccountProfileChanged']);

/** A member of a store is called what the account says that was made for the membership. */
export const accountNaming: Naming = {
  stream: accountStream,
  nameIn(stored) {
    if (!TELLING.has(stored.type)) return undefined;
    const event = recordedEvent(accountEvents, stored);
    return 'name' in event.data ? event.data.name : undefined;
  },
};
