import { describe, expect, test } from '@jest/globals';
import { CHECKPOINT_MAIL } from '../../src/features/audit/verification/daily-checkpoint.js';
import { VERIFICATION } from '../../src/features/audit/verification/verifier.js';
import { deliveryIdFor } from '../../src/features/webhooks/deliveries.js';
import { restoreRules } from '../../src/operations/backup/restore-rules.js';
import type { StoredEvent } from '../../src/ports/event-store.js';

const NOON = '2026-11-22T12:00:00.000Z';
const AFTER_NOON = '2026-11-22T12:00:05.000Z';
const moment = { at: Date.parse(NOON), logId: 'b', head: '0000000000000003' };

test.each([
  ['how far it was verified', VERIFICATION],
  ['that its checkpoint of the day was sent', CHECKPOINT_MAIL],
])('of the log before, %s is not said of the log that was cut', (_, kind) => {
  const row = { kind, id: '2026-11-23', value: () => ({}) };
  expect(restoreRules.rowsAfter([], [])(row, moment)).toBe('goes');
});

describe('deliveries follow the events that they tell of', () => {
  const authorized = (id: string, at: string): StoredEvent => ({
    id,
    stream: 'fiscal-loja',
    revision: 0,
    position: '',
    type: 'DocumentAuthorized',
    data: '{}',
    meta: JSON.stringify({ at }),
  });
  const [kept, long, lost] = [authorized('a', NOON), authorized('b', AFTER_NOON), authorized('c', NOON)];
  const fateOf = (id: string, event: string, createdAt: string) => {
    const value = () => ({ id, destinationId: 'books', event, createdAt });
    return restoreRules.rowsAfter([kept, long], [lost])({ kind: 'webhook-delivery-books', id, value }, moment);
  };

  test.each([
    ['of one that stayed', 'a', NOON, 'stays'],
    ['of one that stayed, though the last event tells of an earlier time', 'b', AFTER_NOON, 'stays'],
    ['of one that is gone, though others of its moment stayed', 'c', NOON, 'goes'],
  ])('%s', (_, id, at, fate) => {
    expect(fateOf(deliveryIdFor({ id, at }, 'books'), 'fiscal.authorized', at)).toBe(fate);
  });

  test.each([
    [NOON, 'stays'],
    [AFTER_NOON, 'goes'],
  ])('a trial, which no event tells of, goes by its time (%s)', (at, fate) => {
    expect(fateOf('trial', 'webhook.test', at)).toBe(fate);
  });
});
