import { Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import type { Decimal } from '../../kernel/values/decimal.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { autoAdjustAnswer, autoAdjustOf, configurationOf, runAnswer } from './answers.js';
import { autoAdjust } from './bodies.js';
import { cardFeesOf } from './book.js';
import { monthsDue } from './domain/auto-adjust.js';
import { monthOf } from './domain/months.js';
import { monthBefore } from '../../kernel/values/days.js';
import type { CardFees } from './domain/state.js';
import type { CardFeeEvent } from './events.js';
import { volumeOf } from './month-figures.js';
import { AUTO_ADJUST_OFF } from './rejections.js';
import type { CardFeeRouteServices } from './services.js';
import { decide, managing, viewing } from './services.js';

async function autoAdjustReply(context: RequestContext): Promise<Reply> {
  const { autoAdjust: present } = await cardFeesOf(context);
  return { body: autoAdjustOf(present), etag: present.revision };
}

/** What a run came to, from its fact; of a month that was used before from the state. */
function resultOf(fees: CardFees, month: string, volume: Decimal, events: readonly CardFeeEvent[]) {
  const fact = events.find((event) => event.type === 'AutoAdjustRan');
  if (fact) {
    const { status, accountId, accountName, note } = fact.data;
    return { status, month, volume: fact.data.volume.toNumber(), accountId, accountName, note };
  }
  const active = fees.activeId === null ? undefined : fees.accounts.get(fees.activeId);
  const { lastNote: note } = fees.autoAdjust;
  const account = { accountId: active?.id ?? null, accountName: active?.name ?? null };
  return { status: 'already_run', month, volume: volume.toNumber(), ...account, note };
}

/** The month before the present one, and earlier ones that a downtime left out. */
function monthsToRun(fees: CardFees, now: number, timeZone: string): readonly string[] {
  const used = monthBefore(monthOf(now, timeZone));
  return [...monthsDue(fees.autoAdjust, now, timeZone).filter((month) => month < used), used];
}

async function runNow({ stores, head }: CardFeeRouteServices, context: RequestContext) {
  const fees = await cardFeesOf(context);
  const { enabled, tiers } = fees.autoAdjust;
  if (!enabled || tiers.length === 0) throw new Rejection(AUTO_ADJUST_OFF);
  const timeZone = await timeZoneOf(stores, context.storeId);
  let result;
  for (const month of monthsToRun(fees, Date.parse(context.at), timeZone)) {
    const asOf = await head();
    const volume = await volumeOf(context.readsPast(asOf), { month, asOf });
    const command = { type: 'runAutoAdjust', month, volume, trigger: 'HAND' } as const;
    const { events } = await decide(context, command, { name: `adjust ${month}` });
    result = resultOf(await cardFeesOf(context), month, volume, events);
  }
  return { result, payload: configurationOf(await cardFeesOf(context)) };
}

export const autoAdjustRoutes = (services: CardFeeRouteServices): readonly Route[] => [
  route({
    ...viewing,
    method: 'get',
    path: '/card-fees/auto-adjust',
    operationId: 'getAutoAdjust',
    summary: 'Gives the tiers by which the active machine is chosen each month',
    request: {},
    response: { status: 200, schema: autoAdjustAnswer, etag: true },
    handle: (_input, context) => autoAdjustReply(context),
  }),
  route({
    ...managing,
    method: 'put',
    path: '/card-fees/auto-adjust',
    summary: 'Replaces the tiers and switches the adjustment on or off',
    description:
      "While it is on, the first day of each month in the store's time zone chooses the machine of the highest tier that the card volume of the month before has reached.",
    request: { body: autoAdjust },
    ifMatch: true,
    response: { status: 200, schema: autoAdjustAnswer, etag: true },
    async handle({ body: { enabled, tiers } }, context) {
      const rows = enabled ? [await services.work.adjustmentRow(context)] : [];
      await decide(context, { type: 'configureAutoAdjust', enabled, tiers, ifMatch: context.ifMatch }, { rows });
      return autoAdjustReply(context);
    },
  }),
  route({
    ...managing,
    method: 'post',
    path: '/card-fees/auto-adjust/run',
    summary: 'Chooses the active machine now, by the card volume of the month before',
    description: 'Each month is used once, by the schedule or by hand.',
    request: {},
    response: { status: 200, schema: runAnswer },
    rejections: [AUTO_ADJUST_OFF],
    async handle(_input, context) {
      return { body: await runNow(services, context) };
    },
  }),
];
