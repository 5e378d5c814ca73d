import { DRILL_STEPS, drillEvents } from '../../src/features/traceability/drills/events.js';
import type { DrillStep } from '../../src/features/traceability/drills/events.js';
import type { Actor } from '../../src/kernel/events/event.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { comparableCode } from '../../src/features/inventory/events.js';

/** An exercise of a recall: when it began, what was done when, and how it ended. */
interface RecallDrillDocument {
  readonly id: string;
  readonly lotCode: string;
  readonly startedAt: string;
  readonly startedBy: Actor;
  readonly steps: readonly { readonly name: DrillStep; readonly doneAt: string | null }[];
  readonly finishedAt: string | null;
  readonly shareFoundPercent: number | null;
  readonly minutes: number | null;
  readonly notes: string | null;
  /** Becomes the entity tag. */
  readonly revision: number;
}

export const recallDrills = recordCollection<RecallDrillDocument>({
  name: 'recall-drills',
  version: 1,
  hidden: ['revision'],
  columns: {
    startedAt: { type: 'text', of: ({ startedAt }) => startedAt },
    code: { type: 'text', of: ({ lotCode }) => comparableCode(lotCode) },
  },
  indexes: [['startedAt'], ['code', 'startedAt']],
});

const MINUTE = 60_000;

const minutesBetween = (start: string, end: string): number =>
  Decimal.from(Date.parse(end) - Date.parse(start))
    .dividedBy(Decimal.from(MINUTE))
    .round(2)
    .toNumber();

export const recallDrillsProjector = recordProjector(recallDrills, [drillEvents], {
  RecallDrillStarted: {
    ids: ({ data }) => [data.drillId],
    evolve: (_drill, { data, meta, revision }) => ({
      id: data.drillId,
      lotCode: data.lotCode,
      startedAt: meta.at,
      startedBy: meta.actor,
      steps: DRILL_STEPS.map((name) => ({ name, doneAt: null })),
      finishedAt: null,
      shareFoundPercent: null,
      minutes: null,
      notes: null,
      revision,
    }),
  },
  RecallDrillStepDone: {
    ids: ({ data }) => [data.drillId],
    evolve: (drill, { data, meta, revision }) =>
      drill && {
        ...drill,
        steps: drill.steps.map((step) => (step.name === data.step ? { ...step, doneAt: meta.at } : step)),
        revision,
      },
  },
  RecallDrillFinished: {
    ids: ({ data }) => [data.drillId],
    evolve: (drill, { data, meta, revision }) =>
      drill && {
        ...drill,
        finishedAt: meta.at,
        shareFoundPercent: data.shareFoundPercent.toNumber(),
        minutes: minutesBetween(drill.startedAt, meta.at),
        notes: data.notes,
        revision,
      },
  },
});
