import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import type { Decider, StreamType } from '../../../kernel/events/decider.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { Decimal } from '../../../kernel/values/decimal.js';
import type { DrillEvent, DrillStep } from './events.js';
import { drillEvents } from './events.js';
import { DRILL_FINISHED } from './rejections.js';

interface Drills {
  /** Those that go on, with the steps that are done. */
  readonly open: ImmutableMap<string, ImmutableSet<DrillStep>>;
  readonly finished: ImmutableSet<string>;
}

type DrillCommand =
  | { readonly type: 'start'; readonly drillId: string; readonly lotCode: string }
  | { readonly type: 'do'; readonly drillId: string; readonly step: DrillStep }
  | {
      readonly type: 'finish';
      readonly drillId: string;
      readonly shareFoundPercent: Decimal;
      readonly notes: string | null;
    };

function decide({ open, finished }: Drills, command: DrillCommand): DrillEvent[] {
  const { drillId } = command;
  if (command.type === 'start') return [{ type: 'RecallDrillStarted', data: { drillId, lotCode: command.lotCode } }];
  if (finished.has(drillId)) throw new Rejection(DRILL_FINISHED);
  const done = open.get(drillId);
  if (!done) throw new Rejection(NOT_FOUND);
  if (command.type === 'do') {
    const { step } = command;
    return done.has(step) ? [] : [{ type: 'RecallDrillStepDone', data: { drillId, step } }];
  }
  const { shareFoundPercent, notes } = command;
  return [{ type: 'RecallDrillFinished', data: { drillId, shareFoundPercent, notes } }];
}

function evolve({ open, finished }: Drills, { type, data }: DrillEvent): Drills {
  const { drillId } = data;
  switch (type) {
    case 'RecallDrillStarted':
      return { open: open.set(drillId, ImmutableSet()), finished };
    case 'RecallDrillStepDone':
      return { open: open.update(drillId, ImmutableSet(), (done) => done.add(data.step)), finished };
    case 'RecallDrillFinished':
      return { open: open.delete(drillId), finished: finished.add(drillId) };
  }
}

const decider: Decider<Drills, DrillCommand, DrillEvent> = {
  initial: { open: ImmutableMap(), finished: ImmutableSet() },
  decide,
  evolve,
};

export const recallDrills: StreamType<Drills, DrillCommand, DrillEvent> = {
  category: 'recall-drills',
  decider,
  events: drillEvents,
  weigh: ({ open, finished }) => open.size + finished.size,
};
