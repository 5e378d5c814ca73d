import { z } from 'zod';
import type { EventOf } from '../../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../../kernel/events/event.js';
import { storedDecimal } from '../../../kernel/values/fields.js';

/** Exercises of a recall, as certifiers want to see them. */

export const DRILL_STEPS = [
  'LOTS_FOUND',
  'STOCK_BLOCKED',
  'CUSTOMERS_LISTED',
  'CUSTOMERS_TOLD',
  'REPORT_PRINTED',
] as const;
export type DrillStep = (typeof DRILL_STEPS)[number];

const drillId = z.string();

const drillStarted = defineEvent('RecallDrillStarted', 1, z.object({ drillId, lotCode: z.string() }));
const drillStepDone = defineEvent('RecallDrillStepDone', 1, z.object({ drillId, step: z.enum(DRILL_STEPS) }));
/** `shareFoundPercent`: how much of the lot's goods was accounted for then. */
const drillFinished = defineEvent(
  'RecallDrillFinished',
  1,
  z.object({ drillId, shareFoundPercent: storedDecimal, notes: z.string().nullable() }),
);

const definitions = [drillStarted, drillStepDone, drillFinished] as const;

export const drillEvents = eventCodec(...definitions);
export type DrillEvent = EventOf<(typeof definitions)[number]>;
