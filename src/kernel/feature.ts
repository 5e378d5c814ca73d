import type { ReadModels } from '../ports/read-models.js';
import type { Vault } from '../ports/vault.js';
import type { Clock } from './clock.js';
import type { DomainEvent, EventCodec } from './event.js';
import type { Lanes } from './lanes.js';
import type { Route } from './route.js';

/** A folder under features/: its endpoints and the events that it records. */
export interface Feature {
  readonly name: string;
  readonly events: readonly EventCodec<DomainEvent>[];
  routes(services: FeatureServices): readonly Route[];
}

/** What a feature may use beside the context of a request. */
export interface FeatureServices {
  readonly lanes: Lanes;
  readonly vault: Vault;
  readonly reads: ReadModels;
  readonly clock: Clock;
}
