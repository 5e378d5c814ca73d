import { describe, expect, test } from '@jest/globals';
import { recallDrillsProjector } from '../../../projections/traceability/recall-drills.js';
import { recallDrills } from '../../../src/features/traceability/drills/decider.js';
import { DRILL_STEPS } from '../../../src/features/traceability/drills/events.js';
import { DRILL_FINISHED } from '../../../src/features/traceability/drills/rejections.js';
import { NOT_FOUND } from '../../../src/kernel/events/rejection.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { givenProjection } from '../../support/given-projection.js';
import { given } from '../../support/given.js';

const started = { type: 'RecallDrillStarted' as const, data: { drillId: 'd', lotCode: 'PAO-7' } };
const blocked = { type: 'RecallDrillStepDone' as const, data: { drillId: 'd', step: 'STOCK_BLOCKED' as const } };
const result = { drillId: 'd', shareFoundPercent: Decimal.from('99.5'), notes: null };
const finished = { type: 'RecallDrillFinished' as const, data: result };
const block = { type: 'do' as const, drillId: 'd', step: 'STOCK_BLOCKED' as const };

describe('a recall drill', () => {
  test('is started', () => {
    given(recallDrills).when({ type: 'start', drillId: 'd', lotCode: 'PAO-7' }).then(started);
  });
  test('has its steps ticked off once', () => {
    given(recallDrills, started).when(block).then(blocked);
    given(recallDrills, started, blocked).when(block).thenNothing();
    given(recallDrills, started, blocked)
      .when({ ...block, step: 'LOTS_FOUND' })
      .then({ ...blocked, data: { drillId: 'd', step: 'LOTS_FOUND' } });
  });
  test('is finished once, whatever was done', () => {
    given(recallDrills, started)
      .when({ type: 'finish', ...result })
      .then(finished);
    given(recallDrills, started, finished)
      .when({ type: 'finish', ...result })
      .thenRefused(DRILL_FINISHED);
    given(recallDrills, started, finished).when(block).thenRefused(DRILL_FINISHED);
  });
  test('that was never started is not found', () => {
    given(recallDrills, started)
      .when({ ...block, drillId: 'x' })
      .thenRefused(NOT_FOUND);
    given(recallDrills)
      .when({ type: 'finish', ...result })
      .thenRefused(NOT_FOUND);
  });
  test('is a record of who, when, what and how long', () => {
    const stepsWith = (doneAt: string | null) =>
      DRILL_STEPS.map((name) => ({ name, doneAt: name === 'STOCK_BLOCKED' ? doneAt : null }));
    const begun = {
      id: 'd',
      lotCode: 'PAO-7',
      startedAt: '2026-01-01T00:00:00.000Z',
      startedBy: { kind: 'system', id: 'test', name: 'test' },
      finishedAt: null,
      shareFoundPercent: null,
      minutes: null,
      notes: null,
    };
    const events = givenProjection(recallDrillsProjector);
    events.when([started]).then({ d: { ...begun, steps: stepsWith(null), revision: 0 } });
    events.when([started, blocked, finished]).then({
      d: {
        ...begun,
        steps: stepsWith('2026-01-01T00:00:01.000Z'),
        finishedAt: '2026-01-01T00:00:02.000Z',
        shareFoundPercent: 99.5,
        minutes: 0.03,
        revision: 2,
      },
    });
    expect(DRILL_STEPS).toHaveLength(5);
  });
});
