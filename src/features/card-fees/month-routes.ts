import { z } from 'zod';
import { cancelledSales, cardPayments } from '../../../projections/card-fees/card-payments.js';
import { figuresOf } from '../../../projections/card-fees/fee-jobs.js';
import { Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import type { StoreDirectory } from '../contracts/feature.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { previewAnswer, summaryAnswer } from './answers.js';
import { monthText, ofMonth } from './bodies.js';
import { cardFeesOf } from './book.js';
import { monthOf } from './domain/months.js';
import { termsOf } from './domain/state.js';
import { previewOf, summaryOf } from './month-figures.js';
import { MONTH_NOT_BEGUN } from './rejections.js';
import type { CardFeeRouteServices } from './services.js';
import { viewing } from './services.js';

/** Refuses a month that has not begun in the store's time zone. */
export async function expectBegun(stores: StoreDirectory, context: RequestContext, month: string): Promise<void> {
  if (month <= monthOf(Date.parse(context.at), await timeZoneOf(stores, context.storeId))) return;
  throw new Rejection(MONTH_NOT_BEGUN, undefined, { errors: [{ path: 'month', message: 'has not begun' }] });
}

export const monthRoutes = ({ stores, head, positions }: CardFeeRouteServices): readonly Route[] => [
  route({
    ...viewing,
    method: 'post',
    path: '/card-fees/recalc-month/preview',
    summary: "Says what a month's card payments would cost with the rates of the active machine; writes nothing",
    description:
      'Completed sales of the month in the time zone of the store; a return changes nothing, a cancelled sale counts nowhere. Payments without a rate are failed and keep the fee that they have; no fee counts as 0.',
    request: { body: ofMonth },
    response: { status: 200, schema: previewAnswer },
    rejections: [MONTH_NOT_BEGUN],
    async handle({ body: { month } }, context) {
      await expectBegun(stores, context, month);
      const terms = termsOf(await cardFeesOf(context));
      const asOf = await head();
      const progress = await previewOf(context.readsPast(asOf), { month, asOf }, terms);
      const { progress: counts, ...sums } = figuresOf(progress);
      const { matched: totalMatched, ...rest } = counts;
      const activeAccountName = terms.account?.name ?? null;
      const figures = { totalMatched, ...rest, ...sums };
      return { body: { month, dryRun: true, activeAccountName, ...figures, asOf: positions.seal(asOf) } };
    },
  }),
  route({
    ...viewing,
    method: 'get',
    path: '/card-fees/summary',
    operationId: 'getCardFeeSummary',
    summary: "Sums up what a month's card payments cost, by machine, brand and type of card",
    description: 'By the machine of the fee in force; payments without a fee are pending.',
    request: { query: z.strictObject({ month: monthText }) },
    response: { status: 200, schema: summaryAnswer },
    async handle({ query: { month } }, context) {
      const fees = await cardFeesOf(context);
      const asOf = await head();
      const reads = context.readsPast(asOf);
      const make = async () => Buffer.from(JSON.stringify(await summaryOf(reads, { month, asOf }, fees)));
      const key = `card-fee-summary ${month} ${String(fees.revision)}`;
      const summary = await reads.kept({ collections: [cardPayments, cancelledSales] }, key, make);
      return { body: { month, asOf: positions.seal(asOf), ...(JSON.parse(summary.toString()) as object) } };
    },
  }),
];
