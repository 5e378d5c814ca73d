import type { Decimal } from '../../../kernel/values/decimal.js';
import { isSameJson } from '../../../kernel/values/difference.js';
import { Rejection, STALE, notFoundAt } from '../../../kernel/events/rejection.js';
import type { IfMatch } from '../../../kernel/events/if-match.js';
import { matches } from '../../../kernel/events/if-match.js';
import type { CardFeeEvent, CardFeeFact, Tier } from '../events.js';
import { AUTO_ADJUST_OFF } from '../rejections.js';
import { monthOf, startOfMonth } from './months.js';
import { monthAfter, monthBefore } from '../../../kernel/values/days.js';
import type { AutoAdjust, CardFees } from './state.js';

export type AutoAdjustCommand =
  | {
      readonly type: 'configureAutoAdjust';
      readonly enabled: boolean;
      readonly tiers: readonly Tier[];
      readonly ifMatch: IfMatch;
    }
  | {
      readonly type: 'runAutoAdjust';
      /** Whose volume chooses. */
      readonly month: string;
      readonly volume: Decimal;
      readonly trigger: 'SCHEDULE' | 'HAND';
    };

export function decideAutoAdjust(fees: CardFees, command: AutoAdjustCommand): readonly CardFeeEvent[] {
  switch (command.type) {
    case 'configureAutoAdjust': {
      const { enabled, ifMatch } = command;
      const { autoAdjust } = fees;
      if (!matches(ifMatch, autoAdjust.revision)) throw new Rejection(STALE);
      const unknown = command.tiers.flatMap(({ accountId }, index) =>
        fees.accounts.has(accountId) ? [] : [`tiers[${String(index)}].accountId`],
      );
      if (unknown.length > 0) throw notFoundAt(...unknown);
      const tiers = [...command.tiers].sort((a, b) => a.minGross.compare(b.minGross));
      if (enabled === autoAdjust.enabled && isSameJson(tiers, autoAdjust.tiers)) return [];
      return [{ type: 'AutoAdjustConfigured', data: { enabled, tiers } }];
    }
    case 'runAutoAdjust':
      return run(fees, command);
  }
}

/** A month that was used is not used again: whoever comes second has nothing to do. */
function run(fees: CardFees, command: Extract<AutoAdjustCommand, { type: 'runAutoAdjust' }>): CardFeeEvent[] {
  const { month, volume, trigger } = command;
  const { enabled, tiers, lastMonth } = fees.autoAdjust;
  if (!enabled || tiers.length === 0) throw new Rejection(AUTO_ADJUST_OFF);
  if (lastMonth !== null && month <= lastMonth) return [];
  const tier = tiers.filter(({ minGross }) => !minGross.greaterThan(volume)).at(-1);
  const chosen = tier?.accountId ?? fees.activeId;
  const status = tier === undefined ? 'below_first_tier' : chosen === fees.activeId ? 'unchanged' : 'applied';
  const account = chosen === null ? undefined : fees.accounts.get(chosen);
  const accountName = account?.name ?? null;
  const note = noteOf({ status, month, volume, accountName });
  return [{ type: 'AutoAdjustRan', data: { month, volume, status, accountId: chosen, accountName, note, trigger } }];
}

const CENTS = 2;

function noteOf({
  status,
  month,
  volume,
  accountName,
}: Pick<CardFeeFact<'AutoAdjustRan'>, 'status' | 'month' | 'volume' | 'accountName'>): string {
  const because = `card payments of ${month} came to ${volume.toNumber().toFixed(CENTS)}`;
  const machine = accountName ?? 'no machine';
  switch (status) {
    case 'applied':
      return `${machine} is active now: ${because}`;
    case 'unchanged':
      return `${machine} stays active: ${because}`;
    case 'below_first_tier':
      return `${machine} stays active: ${because}, which is below the first tier`;
  }
}

/** The months whose volume is still to be used: each with a following month that began while the adjustment was on, the earliest first. */
export function monthsDue(
  { enabled, enabledAt, lastMonth }: AutoAdjust,
  now: number,
  timeZone: string,
): readonly string[] {
  if (!enabled || enabledAt === null) return [];
  const since = Date.parse(enabledAt);
  const present = monthOf(now, timeZone);
  const due: string[] = [];
  for (let month = monthOf(since, timeZone); month <= present; month = monthAfter(month)) {
    const used = monthBefore(month);
    const done = lastMonth !== null && used <= lastMonth;
    if (!done && startOfMonth(month, timeZone) >= since) due.push(used);
  }
  return due;
}
