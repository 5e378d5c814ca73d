import { isSameJson } from '../../../kernel/values/difference.js';
import type { Decimal } from '../../../kernel/values/decimal.js';
import { NAME_TAKEN } from '../../../kernel/patterns/named-set.js';
import { NOT_FOUND, Rejection, STALE, notFoundAt } from '../../../kernel/events/rejection.js';
import type { IfMatch } from '../../../kernel/events/if-match.js';
import { matches } from '../../../kernel/events/if-match.js';
import { foldText } from '../../../kernel/values/words.js';
import type { AccountDetails, CardFeeEvent, FeeRate, FeeSettings } from '../events.js';
import { ACCOUNT_IN_USE, CARD_FEES_LIMIT } from '../rejections.js';
import type { Account, CardFees } from './state.js';

export const MOST_ACCOUNTS = 50;

/** What a request says of a machine's general rates; what is left out stays. */
interface GivenRates {
  readonly debitFeePercent?: Decimal | null;
  readonly creditFees?: readonly { readonly installments: number; readonly feePercent: Decimal }[];
}

interface ToAccount {
  readonly accountId: string;
  readonly ifMatch: IfMatch;
}

interface GivenBrandRates {
  readonly cardBrandId: string;
  readonly rates: readonly FeeRate[];
}

export type AccountCommand =
  | {
      readonly type: 'addAccount';
      readonly accountId: string;
      readonly details: AccountDetails;
      readonly rates: GivenRates;
      readonly brandRates: readonly GivenBrandRates[];
      readonly activate: boolean;
      readonly useForPaymentLink: boolean;
    }
  | (ToAccount & {
      readonly type: 'changeAccount';
      readonly changes: Partial<AccountDetails>;
      readonly rates: GivenRates;
    })
  | (ToAccount & { readonly type: 'activateAccount' })
  | (ToAccount & { readonly type: 'chooseForPaymentLink' })
  | (ToAccount & { readonly type: 'deleteAccount' })
  | (ToAccount & GivenBrandRates & { readonly type: 'replaceBrandRates' })
  | {
      readonly type: 'configure';
      readonly settings: Partial<FeeSettings>;
      readonly accounts: readonly ({ readonly id: string; readonly fixedFee?: Decimal } & GivenRates)[];
      readonly ifMatch: IfMatch;
    };

export function decideAccount(fees: CardFees, command: AccountCommand): readonly CardFeeEvent[] {
  switch (command.type) {
    case 'addAccount':
      return addAccount(fees, command);
    case 'changeAccount': {
      const account = expectAccount(fees, command);
      return changesOf(fees, account, command.changes, command.rates);
    }
    case 'activateAccount': {
      const { id: accountId } = expectAccount(fees, command);
      return fees.activeId === accountId ? [] : [{ type: 'CardAccountActivated', data: { accountId } }];
    }
    case 'chooseForPaymentLink': {
      const { id: accountId } = expectAccount(fees, command);
      return fees.paymentLinkId === accountId ? [] : [{ type: 'PaymentLinkAccountChosen', data: { accountId } }];
    }
    case 'deleteAccount':
      return deleteAccount(fees, expectAccount(fees, command));
    case 'replaceBrandRates': {
      const account = expectAccount(fees, command);
      expectBrand(fees, command.cardBrandId, 'cardBrandId');
      return replacedRates(account, command);
    }
    case 'configure':
      return configure(fees, command);
  }
}

function expectAccount(
  { accounts }: CardFees,
  { accountId, ifMatch }: { readonly accountId: string; readonly ifMatch?: IfMatch },
): Account {
  const account = accounts.get(accountId);
  if (!account) throw new Rejection(NOT_FOUND);
  if (!matches(ifMatch, account.revision)) throw new Rejection(STALE);
  return account;
}

function expectBrand({ brands }: CardFees, cardBrandId: string, path: string): void {
  if (!brands.has(cardBrandId)) throw notFoundAt(path);
}

function expectFreeName({ accounts }: CardFees, id: string, name: string): void {
  const folded = foldText(name);
  if (accounts.some((other) => other.id !== id && foldText(other.name) === folded)) throw new Rejection(NAME_TAKEN);
}

function addAccount(fees: CardFees, command: Extract<AccountCommand, { type: 'addAccount' }>): CardFeeEvent[] {
  const { accountId, details, rates, brandRates } = command;
  if (fees.accounts.size >= MOST_ACCOUNTS) throw new Rejection(CARD_FEES_LIMIT);
  expectFreeName(fees, accountId, details.name);
  for (const [index, { cardBrandId }] of brandRates.entries()) {
    expectBrand(fees, cardBrandId, `brandRates[${String(index)}].cardBrandId`);
  }
  const events: CardFeeEvent[] = [{ type: 'CardAccountAdded', data: { ...details, accountId } }];
  const general = generalRates([], rates);
  if (general.length > 0) {
    events.push({ type: 'FeeRatesReplaced', data: { accountId, cardBrandId: null, rates: general } });
  }
  for (const { cardBrandId, rates: own } of brandRates) {
    events.push({ type: 'FeeRatesReplaced', data: { accountId, cardBrandId, rates: inOrder(own) } });
  }
  // The first machine is the one for everything by itself.
  if (fees.accounts.size > 0) {
    if (command.activate) events.push({ type: 'CardAccountActivated', data: { accountId } });
    if (command.useForPaymentLink) events.push({ type: 'PaymentLinkAccountChosen', data: { accountId } });
  }
  return events;
}

function changesOf(
  fees: CardFees,
  account: Account,
  changes: Partial<AccountDetails>,
  given: GivenRates,
): CardFeeEvent[] {
  const { id: accountId } = account;
  const before = detailsOf(account);
  const after = { ...before, ...changes };
  expectFreeName(fees, accountId, after.name);
  const rates = generalRates(account.generalRates, given);
  const events: CardFeeEvent[] = [];
  if (!isSameJson(after, before)) events.push({ type: 'CardAccountChanged', data: { ...after, accountId } });
  if (!isSameJson(rates, account.generalRates)) {
    events.push({ type: 'FeeRatesReplaced', data: { accountId, cardBrandId: null, rates } });
  }
  return events;
}

function replacedRates(
  { id: accountId, brandRates }: Account,
  { cardBrandId, rates }: GivenBrandRates,
): CardFeeEvent[] {
  const ordered = inOrder(rates);
  if (isSameJson(ordered, brandRates.get(cardBrandId, []))) return [];
  return [{ type: 'FeeRatesReplaced', data: { accountId, cardBrandId, rates: ordered } }];
}

function deleteAccount({ activeId, autoAdjust }: CardFees, { id: accountId }: Account): CardFeeEvent[] {
  const inUse = activeId === accountId || autoAdjust.tiers.some((tier) => tier.accountId === accountId);
  if (inUse) throw new Rejection(ACCOUNT_IN_USE);
  return [{ type: 'CardAccountDeleted', data: { accountId } }];
}

function configure(fees: CardFees, command: Extract<AccountCommand, { type: 'configure' }>): CardFeeEvent[] {
  if (!matches(command.ifMatch, fees.revision)) throw new Rejection(STALE);
  const settings = { ...fees.settings, ...command.settings };
  const unknown = command.accounts.flatMap(({ id }, index) =>
    fees.accounts.has(id) ? [] : [`accounts[${String(index)}].id`],
  );
  if (unknown.length > 0) throw notFoundAt(...unknown);
  return [
    ...(isSameJson(settings, fees.settings) ? [] : [{ type: 'CardFeeSettingsChanged' as const, data: settings }]),
    ...command.accounts.flatMap(({ id: accountId, fixedFee, ...rates }) =>
      changesOf(fees, expectAccount(fees, { accountId }), fixedFee ? { fixedFee } : {}, rates),
    ),
  ];
}

const detailsOf = ({
  name,
  acquirer,
  acquirerTaxId,
  terminalId,
  fixedFee,
  settlementDaysDebit,
  settlementDaysCredit,
}: AccountDetails): AccountDetails => ({
  name,
  acquirer,
  acquirerTaxId,
  terminalId,
  fixedFee,
  settlementDaysDebit,
  settlementDaysCredit,
});

function generalRates(before: readonly FeeRate[], { debitFeePercent, creditFees }: GivenRates): FeeRate[] {
  const kept = before.filter(({ cardType }) =>
    cardType === 'debit' ? debitFeePercent === undefined : creditFees === undefined,
  );
  const debit: FeeRate[] = debitFeePercent ? [{ cardType: 'debit', installments: 1, feePercent: debitFeePercent }] : [];
  const credit = (creditFees ?? []).map((fee): FeeRate => ({ cardType: 'credit', ...fee }));
  return inOrder([...kept, ...debit, ...credit]);
}

/** Debit first, then by instalments. */
const inOrder = (rates: readonly FeeRate[]): FeeRate[] =>
  rates
    .map(({ cardType, installments, feePercent }) => ({ cardType, installments, feePercent }))
    .sort((a, b) => (a.cardType === b.cardType ? a.installments - b.installments : a.cardType === 'debit' ? -1 : 1));
