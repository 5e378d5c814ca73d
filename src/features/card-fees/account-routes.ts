import { z } from 'zod';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import { NAME_TAKEN } from '../../kernel/patterns/named-set.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { defined } from '../../kernel/values/defined.js';
import { pathId, textOrNull } from '../../kernel/values/fields.js';
import { accountAnswer, accountOf, configurationAnswer } from './answers.js';
import type { AccountChanges, NewAccount } from './bodies.js';
import { accountChanges, brandRates, newAccount } from './bodies.js';
import { cardFeesOf } from './book.js';
import type { AccountDetails } from './events.js';
import { ACCOUNT_IN_USE, CARD_FEES_LIMIT } from './rejections.js';
import { configurationReply, decide, managing, viewing } from './services.js';

const params = z.strictObject({ accountId: pathId });
const account = { schema: accountAnswer, etag: true } as const;

const NEXT_DAY = 1;
const NEXT_MONTH = 30;

async function accountReply(context: RequestContext, accountId: string): Promise<Reply> {
  const fees = await cardFeesOf(context);
  const found = fees.accounts.get(accountId);
  if (!found) throw new Rejection(NOT_FOUND);
  return { body: accountOf(fees, found), etag: found.revision };
}

const newDetails = (body: NewAccount): AccountDetails => ({
  name: body.name,
  acquirer: textOrNull(body.acquirer),
  acquirerTaxId: body.acquirerTaxId ?? null,
  terminalId: textOrNull(body.terminalId),
  fixedFee: body.fixedFee ?? Decimal.zero,
  settlementDaysDebit: body.settlementDaysDebit ?? NEXT_DAY,
  settlementDaysCredit: body.settlementDaysCredit ?? NEXT_MONTH,
});

function changedDetails(body: AccountChanges): Partial<AccountDetails> {
  const { acquirer, terminalId, debitFeePercent: _, creditFees: __, ...rest } = body;
  return defined({
    ...rest,
    acquirer: acquirer === undefined ? undefined : textOrNull(acquirer),
    terminalId: terminalId === undefined ? undefined : textOrNull(terminalId),
  });
}

const ratesOf = ({ debitFeePercent, creditFees }: AccountChanges) => defined({ debitFeePercent, creditFees });

export const accountRoutes: readonly Route[] = [
  route({
    ...managing,
    method: 'post',
    path: '/card-fees/accounts',
    summary: 'Adds a card machine; the first one is the active one and that of payment links',
    request: { body: newAccount },
    response: { status: 201, ...account },
    rejections: [NAME_TAKEN, CARD_FEES_LIMIT],
    async handle({ body }, context) {
      const accountId = context.newId();
      await decide(context, {
        type: 'addAccount',
        accountId,
        details: newDetails(body),
        rates: ratesOf(body),
        brandRates: body.brandRates ?? [],
        activate: body.active === true,
        useForPaymentLink: body.useForPaymentLink === true,
      });
      return accountReply(context, accountId);
    },
  }),
  route({
    ...viewing,
    method: 'get',
    path: '/card-fees/accounts/{accountId}',
    summary: 'Gives one card machine with its entity tag',
    description: 'The tag is what a change of the machine, of its rates for a brand included, takes in `If-Match`.',
    request: { params },
    response: { status: 200, ...account },
    handle: ({ params: { accountId } }, context) => accountReply(context, accountId),
  }),
  route({
    ...managing,
    method: 'patch',
    path: '/card-fees/accounts/{accountId}',
    summary: 'Changes a card machine; fees of past sales stay as they are',
    request: { params, body: accountChanges },
    response: { status: 200, ...account },
    rejections: [NAME_TAKEN],
    async handle({ params: { accountId }, body }, context) {
      const { ifMatch } = context;
      const command = {
        type: 'changeAccount',
        accountId,
        changes: changedDetails(body),
        rates: ratesOf(body),
        ifMatch,
      };
      await decide(context, { ...command, type: 'changeAccount' });
      return accountReply(context, accountId);
    },
  }),
  route({
    ...managing,
    method: 'post',
    path: '/card-fees/accounts/{accountId}/activate',
    summary: 'Makes a card machine the active one: its rates count for new sales',
    ifMatch: true,
    request: { params },
    response: { status: 200, ...account },
    async handle({ params: { accountId } }, context) {
      await decide(context, { type: 'activateAccount', accountId, ifMatch: context.ifMatch });
      return accountReply(context, accountId);
    },
  }),
  route({
    ...managing,
    method: 'post',
    path: '/card-fees/accounts/{accountId}/use-for-payment-link',
    summary: 'Uses a card machine for payment links, in place of the one that was',
    ifMatch: true,
    request: { params },
    response: { status: 200, ...account },
    async handle({ params: { accountId } }, context) {
      await decide(context, { type: 'chooseForPaymentLink', accountId, ifMatch: context.ifMatch });
      return accountReply(context, accountId);
    },
  }),
  route({
    ...managing,
    method: 'delete',
    path: '/card-fees/accounts/{accountId}',
    summary: 'Deletes a card machine that is not the active one and that no tier names',
    request: { params },
    response: { status: 204 },
    rejections: [ACCOUNT_IN_USE],
    async handle({ params: { accountId } }, context) {
      await decide(context, { type: 'deleteAccount', accountId, ifMatch: context.ifMatch });
      return {};
    },
  }),
  route({
    ...managing,
    method: 'put',
    path: '/card-fees/accounts/{accountId}/brand-rates',
    summary: "Replaces a brand's own rates on a card machine; none: the general ones count",
    request: { params, body: brandRates },
    response: { status: 200, schema: configurationAnswer, etag: true },
    async handle({ params: { accountId }, body }, context) {
      await decide(context, { type: 'replaceBrandRates', accountId, ...body, ifMatch: context.ifMatch });
      return configurationReply(context);
    },
  }),
];
