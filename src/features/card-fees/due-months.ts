import { cancelledSales, cardPayments } from '../../../projections/card-fees/card-payments.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import type { Position } from '../../ports/event-store.js';
import type { FeatureServices } from '../contracts/feature.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { cardFees } from './decider.js';
import { monthsDue } from './domain/auto-adjust.js';
import type { MonthReads } from './month.js';
import { volumeOf } from './month-figures.js';

/** With a slice of work between two waits it stays below the lease of a job. */
const PATIENCE = 5_000;

/** Whether the index of card payments has seen everything up to a position, or has after a wait. */
export const isIndexed = (
  { projections }: Pick<FeatureServices, 'projections'>,
  position: Position,
): Promise<boolean> => projections.waitFor([cardPayments.name, cancelledSales.name], position, PATIENCE);

/** Chooses the machine by the volume of each month that is due, the earliest first. Gives whether the adjustment is on at all. */
export async function runDueMonths(
  services: Pick<FeatureServices, 'stores' | 'clock' | 'head' | 'projections'>,
  commands: Commands,
  reads: MonthReads,
): Promise<boolean> {
  const { storeId } = commands;
  const { autoAdjust } = await commands.current(cardFees);
  if (!autoAdjust.enabled) return false;
  const timeZone = await timeZoneOf(services.stores, storeId);
  for (const month of monthsDue(autoAdjust, services.clock.now(), timeZone)) {
    const asOf = await services.head();
    if (!(await isIndexed(services, asOf))) throw new Error('the index of card payments is behind');
    const volume = await volumeOf(reads, { month, asOf });
    await commands.execute(cardFees, { type: 'runAutoAdjust', storeId, month, volume, trigger: 'SCHEDULE' });
  }
  return true;
}
