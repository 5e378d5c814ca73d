import { Map as ImmutableMap } from 'immutable';
import type { Decider, Moment, StreamType } from '../../kernel/events/decider.js';
import type { IfMatch } from '../../kernel/events/if-match.js';
import { matches } from '../../kernel/events/if-match.js';
import { NOT_FOUND, Rejection, STALE } from '../../kernel/events/rejection.js';
import { isSameJson } from '../../kernel/values/difference.js';
import type { DestinationSettings, WebhookEvent } from './events.js';
import { webhookEvents } from './events.js';
import { WEBHOOK_LIMIT } from './rejections.js';

const MOST_DESTINATIONS = 5;

export interface Destination extends DestinationSettings {
  readonly destinationId: string;
  readonly createdAt: string;
  /**
   * The revision at which it was last switched on. What was recorded before, or was open when it was switched off, never goes to it. Clocks
   * do not say what was before: they may be set, and those of two processes differ.
   */
  readonly activation: number;
  /** Undefined for its first secret. */
  readonly secretId: string | undefined;
  /** The revision of its secret's last change. */
  readonly secretRevision: number;
  /** The revision of its own last change. */
  readonly revision: number;
}

export interface Webhooks {
  readonly destinations: ImmutableMap<string, Destination>;
}

type WebhookCommand =
  | { readonly type: 'add'; readonly destinationId: string; readonly settings: DestinationSettings }
  | {
      readonly type: 'change';
      readonly destinationId: string;
      readonly changes: Partial<DestinationSettings>;
      readonly ifMatch: IfMatch;
    }
  | {
      readonly type: 'rotateSecret';
      readonly destinationId: string;
      readonly secretId: string;
      readonly ifMatch: IfMatch;
    }
  | { readonly type: 'remove'; readonly destinationId: string; readonly ifMatch: IfMatch };

const settingsOf = ({ url, description, active, events }: DestinationSettings): DestinationSettings => ({
  url,
  description,
  active,
  events,
});

function expectDestination({ destinations }: Webhooks, destinationId: string, ifMatch: IfMatch): Destination {
  const destination = destinations.get(destinationId);
  if (!destination) throw new Rejection(NOT_FOUND);
  if (!matches(ifMatch, destination.revision)) throw new Rejection(STALE);
  return destination;
}

function decide(state: Webhooks, command: WebhookCommand): WebhookEvent[] {
  const { destinationId } = command;
  if (command.type === 'add') {
    if (state.destinations.size >= MOST_DESTINATIONS) throw new Rejection(WEBHOOK_LIMIT);
    return [{ type: 'WebhookDestinationAdded', data: { destinationId, ...command.settings } }];
  }
  const destination = expectDestination(state, destinationId, command.ifMatch);
  switch (command.type) {
    case 'change': {
      const before = settingsOf(destination);
      const after = { ...before, ...command.changes };
      if (isSameJson(after, before)) return [];
      return [{ type: 'WebhookDestinationChanged', data: { destinationId, ...after } }];
    }
    case 'rotateSecret':
      return [{ type: 'WebhookSecretRotated', data: { destinationId, secretId: command.secretId } }];
    case 'remove':
      return [{ type: 'WebhookDestinationRemoved', data: { destinationId } }];
  }
}

function changed(before: Destination, event: WebhookEvent, { revision }: Moment): Destination {
  if (event.type === 'WebhookSecretRotated') {
    return { ...before, revision, secretId: event.data.secretId, secretRevision: revision };
  }
  if (event.type !== 'WebhookDestinationChanged') return before;
  const activated = event.data.active && !before.active;
  return { ...before, ...event.data, revision, activation: activated ? revision : before.activation };
}

function evolve({ destinations }: Webhooks, event: WebhookEvent, moment: Moment): Webhooks {
  const { destinationId } = event.data;
  if (event.type === 'WebhookDestinationAdded') {
    const { revision, at } = moment;
    const since = { createdAt: at, activation: revision, secretId: undefined, secretRevision: revision, revision };
    return { destinations: destinations.set(destinationId, { ...event.data, ...since }) };
  }
  if (event.type === 'WebhookDestinationRemoved') return { destinations: destinations.delete(destinationId) };
  const before = destinations.get(destinationId);
  return before ? { destinations: destinations.set(destinationId, changed(before, event, moment)) } : { destinations };
}

const decider: Decider<Webhooks, WebhookCommand, WebhookEvent> = {
  initial: { destinations: ImmutableMap() },
  decide,
  evolve,
};

export const webhooks: StreamType<Webhooks, WebhookCommand, WebhookEvent> = {
  category: 'webhooks',
  decider,
  events: webhookEvents,
};
