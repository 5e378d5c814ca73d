import { Map as ImmutableMap } from 'immutable';
import type { Decider, StreamType } from '../../kernel/decider.js';
import type { AccessEvent, ApiKey } from './events.js';
import { accessEvents } from './events.js';

/** Who may do what in a store. */
export interface Access {
  readonly keys: ImmutableMap<string, ApiKey>;
}

export interface CreateApiKey {
  readonly type: 'createKey';
  readonly key: ApiKey;
}

const decider: Decider<Access, CreateApiKey, AccessEvent> = {
  initial: { keys: ImmutableMap() },
  evolve: ({ keys }, { data }) => ({ keys: keys.set(data.keyId, data) }),
  decide: ({ keys }, { key }) => (keys.has(key.keyId) ? [] : [{ type: 'ApiKeyCreated', data: key }]),
};

export const access: StreamType<Access, CreateApiKey, AccessEvent> = {
  category: 'access',
  decider,
  events: accessEvents,
  weigh: ({ keys }) => keys.size,
};
