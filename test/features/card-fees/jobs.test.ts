import { describe, expect, test } from '@jest/globals';
import type { CardFeesCommand } from '../../../src/features/card-fees/decider.js';
import { cardFees } from '../../../src/features/card-fees/decider.js';
import { monthsDue } from '../../../src/features/card-fees/domain/auto-adjust.js';
import { NO_CARD_FEES, firstConfiguration } from '../../../src/features/card-fees/domain/state.js';
import type { CardFeeEvent } from '../../../src/features/card-fees/events.js';
import { NO_PROGRESS } from '../../../src/features/card-fees/events.js';
import { JOB_EXISTS, JOB_TAKEN_OVER } from '../../../src/features/card-fees/rejections.js';
import { fold } from '../../support/fold.js';
import { NOT_FOUND } from '../../../src/kernel/events/rejection.js';
import { given } from '../../support/given.js';
import { throughSnapshot } from '../../support/through-snapshot.js';

const storeId = '01a1fe3e-9906-738c-84d5-8a2d82a00001';
const opened: CardFeeEvent = { type: 'CardFeesOpened', data: firstConfiguration(storeId) };
const terms = { enabled: true, account: null };
const queued: CardFeeEvent = { type: 'FeeJobQueued', data: { jobId: 'j', month: '2026-10', terms } };
const claimed = (epoch: number): CardFeeEvent => ({ type: 'FeeJobClaimed', data: { jobId: 'j', epoch } });
const batch = (epoch: number, upTo: string): CardFeeEvent => ({
  type: 'FeesRecalculated',
  data: {
    jobId: 'j',
    epoch,
    month: '2026-10',
    accountId: null,
    accountName: null,
    upTo,
    progress: NO_PROGRESS,
    changes: [],
  },
});
const record = (epoch: number, after: string, upTo: string): CardFeesCommand => ({
  type: 'recordBatch',
  storeId,
  after,
  batch: { jobId: 'j', epoch, upTo, progress: NO_PROGRESS, changes: [] },
});

describe('a recalculation', () => {
  test('is queued with the rates of its moment, behind the first configuration', () => {
    given(cardFees).when({ type: 'queueJob', storeId, jobId: 'j', month: '2026-10' }).then(opened, queued);
  });
  test('of a month is one at a time', () => {
    const again = { type: 'queueJob', storeId, jobId: 'k', month: '2026-10' } as const;
    given(cardFees, opened, queued).when(again).thenRefused(JOB_EXISTS);
    const cancelled: CardFeeEvent = { type: 'FeeJobCancelled', data: { jobId: 'j' } };
    given(cardFees, opened, queued, cancelled)
      .when(again)
      .then({ type: 'FeeJobQueued', data: { jobId: 'k', month: '2026-10', terms } });
  });
  test('is claimed by one of two', () => {
    const claim = { type: 'claimJob', storeId, jobId: 'j', seenEpoch: 0 } as const;
    given(cardFees, opened, queued).when(claim).then(claimed(1));
    given(cardFees, opened, queued, claimed(1)).when(claim).thenRefused(JOB_TAKEN_OVER);
  });
  test('records each place of the month once', () => {
    const history = [opened, queued, claimed(1), batch(1, 'b')];
    given(cardFees, ...history)
      .when(record(1, 'b', 'c'))
      .then(batch(1, 'c'));
    given(cardFees, ...history)
      .when(record(1, '', 'b'))
      .thenRefused(JOB_TAKEN_OVER);
    given(cardFees, ...history)
      .when(record(1, 'b', 'b'))
      .thenRefused(JOB_TAKEN_OVER);
  });
  test('refuses whoever had it before', () => {
    const history = [opened, queued, claimed(1), batch(1, 'b'), claimed(2)];
    const late = given(cardFees, ...history);
    late.when(record(1, 'b', 'c')).thenRefused(JOB_TAKEN_OVER);
    late.when({ type: 'finishJob', storeId, jobId: 'j', epoch: 1 }).thenRefused(JOB_TAKEN_OVER);
    given(cardFees, ...history, { type: 'FeeJobFinished', data: { jobId: 'j', epoch: 2 } })
      .when(record(2, 'b', 'c'))
      .thenRefused(NOT_FOUND);
  });
  test('goes on from a snapshot where it was', () => {
    const state = fold(cardFees.decider, [opened, queued, claimed(1), batch(1, 'b')]);
    expect(throughSnapshot(cardFees, state)).toEqual(state);
  });
});

describe('months that are due', () => {
  const on = { ...NO_CARD_FEES.autoAdjust, enabled: true, enabledAt: '2026-01-31T12:00:00.000Z' };
  const zone = 'America/Sao_Paulo';
  const at = (time: string) => Date.parse(time);

  test('are those whose following month began while it was on, in the time zone of the store', () => {
    expect(monthsDue(on, at('2026-02-01T02:59:59Z'), zone)).toEqual([]);
    expect(monthsDue(on, at('2026-02-01T03:00:00Z'), zone)).toEqual(['2026-01']);
    expect(monthsDue(on, at('2026-04-15T00:00:00Z'), zone)).toEqual(['2026-01', '2026-02', '2026-03']);
  });
  test('are used once, and never while it is off', () => {
    expect(monthsDue({ ...on, lastMonth: '2026-02' }, at('2026-04-15T00:00:00Z'), zone)).toEqual(['2026-03']);
    expect(monthsDue({ ...on, enabled: false }, at('2026-04-15T00:00:00Z'), zone)).toEqual([]);
  });
});
