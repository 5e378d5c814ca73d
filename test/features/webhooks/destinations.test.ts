import { describe, expect, test } from '@jest/globals';
import type { DestinationSettings } from '../../../src/features/webhooks/events.js';
import { webhooks } from '../../../src/features/webhooks/decider.js';
import { WEBHOOK_LIMIT } from '../../../src/features/webhooks/rejections.js';
import { fold } from '../../support/fold.js';
import { NOT_FOUND, STALE } from '../../../src/kernel/events/rejection.js';
import { NOBODY, given } from '../../support/given.js';

const settings: DestinationSettings = { url: 'https://example.com/h', description: null, active: true, events: null };
const added = (destinationId: string) => ({
  type: 'WebhookDestinationAdded' as const,
  data: { destinationId, ...settings },
});
const changed = (destinationId: string, changes: Partial<DestinationSettings>) => ({
  type: 'WebhookDestinationChanged' as const,
  data: { destinationId, ...settings, ...changes },
});
const change = (destinationId: string, changes: Partial<DestinationSettings>, ifMatch?: readonly number[]) => ({
  type: 'change' as const,
  destinationId,
  changes,
  ifMatch,
});

describe('a webhook destination', () => {
  test('is added', () => {
    given(webhooks).when({ type: 'add', destinationId: 'a', settings }).then(added('a'));
  });
  test('is refused when there are five', () => {
    given(webhooks, ...['a', 'b', 'c', 'd', 'e'].map(added))
      .when({ type: 'add', destinationId: 'f', settings })
      .thenRefused(WEBHOOK_LIMIT);
  });
  test('makes room when it is removed', () => {
    given(webhooks, ...['a', 'b', 'c', 'd', 'e'].map(added), {
      type: 'WebhookDestinationRemoved',
      data: { destinationId: 'a' },
    })
      .when({ type: 'add', destinationId: 'f', settings })
      .then(added('f'));
  });
  test('is changed in what is named, and keeps the rest', () => {
    given(webhooks, added('a'))
      .when(change('a', { active: false }))
      .then(changed('a', { active: false }));
  });
  test('that is as it should be changes nothing', () => {
    given(webhooks, added('a'))
      .when(change('a', { active: true }))
      .thenNothing();
  });
  test('is refused where it was changed since', () => {
    given(webhooks, added('a'))
      .when(change('a', { active: false }, [7]))
      .thenRefused(STALE);
  });
  test('that is removed is unknown', () => {
    given(webhooks).when({ type: 'remove', destinationId: 'a', ifMatch: undefined }).thenRefused(NOT_FOUND);
  });
  test('gets a new secret each time it is asked for', () => {
    const rotated = (secretId: string) => ({
      type: 'WebhookSecretRotated' as const,
      data: { destinationId: 'a', secretId },
    });
    given(webhooks, added('a'), rotated('first'))
      .when({ type: 'rotateSecret', destinationId: 'a', secretId: 'second', ifMatch: undefined })
      .then(rotated('second'));
  });
  test('is active since it was last switched on, whatever else of it was changed since', () => {
    const times = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
    const moved = { url: 'https://example.com/new' };
    const history = [
      added('a'),
      changed('a', { active: false }),
      changed('a', moved),
      changed('a', { ...moved, description: 'ERP' }),
    ];
    const { destinations } = fold(webhooks.decider, history, (index) => ({
      revision: index,
      at: times[index] ?? '',
      actor: NOBODY,
    }));
    expect(destinations.get('a')).toMatchObject({
      createdAt: times[0],
      activation: 2,
      secretRevision: 0,
      revision: 3,
    });
  });
});
