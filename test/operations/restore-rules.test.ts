import { describe, expect, test } from '@jest/globals';
import { CHECKPOINT_MAIL } from '../../src/features/audit/verification/daily-checkpoint.js';
import { VERIFICATION } from '../../src/features/audit/verification/verifier.js';
import { deliveryIdFor } from '../../src/features/webhooks/deliveries.js';
import { restoreRules } from '../../src/operations/backup/restore-rules.js';
import type { StoredEvent } from '../../src/ports/event-store.js';

const NOON = '2026-11-22T12:00:00.000Z';
const AFTER_NOON = '2026-11-22T12:00:05.000Z';
const moment = {
  at: Date.parse(NOON),
  now: Date.parse('2026-11-23T08:00:00.000Z'),
  logId: 'b',
  cut: '0000000000000002',
  head: '0000000000000003',
};

test.each([
  ['how far it was verified', VERIFICATION],
  ['that its checkpoint of the day was sent', CHECKPOINT_MAIL],
])('of the log before, %s is not said of the log that was cut', (_, kind) => {
  const row = { kind, id: '2026-11-23', value: () => ({}) };
  expect(restoreRules.rowsAfter([], [])(row, moment)).toBe('goes');
});

test.each([
  ['had come to the moment', '0000000000000002', '0000000000000003'],
  ['had not come to it, and goes on from there', '0000000000000001', '0000000000000001'],
  ['had not begun', '', ''],
])('a reactor that %s', (_, position, after) => {
  const row = { kind: 'reactor', id: 'webhooks', value: () => ({ logId: 'a', position, fence: 7 }) };
  expect(restoreRules.rowsAfter([], [])(row, moment)).toEqual({ value: { logId: 'b', position: after, fence: 7 } });
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

  describe('one that was cancelled', () => {
    const inWebhooks = (revision: number, type: string, data: object): StoredEvent => ({
      id: String(revision),
      stream: 'webhooks-loja',
      revision,
      position: '',
      type,
      data: JSON.stringify({ destinationId: 'books', ...data }),
      meta: JSON.stringify({ schemaVersion: 1, storeId: 'loja', at: NOON }),
    });
    const settings = { url: 'https://books.example.com/', description: '', active: true, events: null };
    const added = inWebhooks(0, 'WebhookDestinationAdded', settings);
    const switchedOff = inWebhooks(1, 'WebhookDestinationChanged', { ...settings, active: false });
    const tried = { number: 1, at: NOON, durationMs: 5, statusCode: 500, error: '', responseSnippet: '' };
    const row = {
      id: deliveryIdFor({ id: 'a', at: NOON }, 'books'),
      storeId: 'loja',
      destinationId: 'books',
      event: 'fiscal.document.authorized',
      documentId: null,
      body: '{}',
      headers: null,
      status: 'CANCELLED',
      attempts: [tried],
      nextAttemptAt: null,
      createdAt: NOON,
      deliveredAt: null,
      endedAt: AFTER_NOON,
      activation: 0,
      retriedAt: null,
    };
    const fateAfter = (keptToo: readonly StoredEvent[], value: object) =>
      restoreRules.rowsAfter([...keptToo, kept], [lost])(
        { kind: 'webhook-delivery-books', id: row.id, value: () => value },
        moment,
      );

    test('beyond the moment is open again, and due', () => {
      const open = { ...row, status: 'RETRYING', nextAttemptAt: '2026-11-23T08:00:00.000Z', endedAt: null };
      expect(fateAfter([added], row)).toEqual({ value: open, dueAt: moment.now });
    });

    test('and never tried is as new', () => {
      expect(fateAfter([added], { ...row, attempts: [] })).toMatchObject({ value: { status: 'PENDING' } });
    });

    test.each([
      ['before it stays so', [added, switchedOff], row],
      ['before the destination was switched on once more stays so', [added], { ...row, activation: 2 }],
      ['by an older release, which does not say by what, stays so', [added], { ...row, activation: undefined }],
      ['with its destination stays so', [], row],
    ])('%s', (_, keptToo, value) => {
      expect(fateAfter(keptToo, value)).toBe('stays');
    });

    test('is found by its line', () => {
      const line = { kind: 'webhook-delivery-lines', id: 'books', value: () => ({}) };
      expect(restoreRules.rowsAfter([], [])(line, moment)).toEqual({ value: {}, dueAt: moment.now });
    });
  });
});
