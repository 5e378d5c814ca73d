import { Map as ImmutableMap } from 'immutable';
import type { Moment } from '../../../kernel/events/decider.js';
import type { CardFeeEvent, CardFeeFact, FeeRate } from '../events.js';
import type { Account, AutoAdjust, CardFees, OpenJob } from './state.js';
import { opened } from './state.js';

export function evolve(fees: CardFees, event: CardFeeEvent, moment: Moment): CardFees {
  switch (event.type) {
    case 'FeeJobQueued':
    case 'FeeJobClaimed':
    case 'FeesRecalculated':
    case 'FeeJobFinished':
    case 'FeeJobFailed':
    case 'FeeJobCancelled':
      return { ...fees, jobs: jobsAfter(fees.jobs, event, moment) };
    default:
      return { ...configurationAfter(fees, event, moment), revision: moment.revision };
  }
}

type JobEvent = Extract<CardFeeEvent, { readonly type: `FeeJob${string}` | 'FeesRecalculated' }>;

function jobsAfter(jobs: CardFees['jobs'], event: JobEvent, { revision }: Moment): CardFees['jobs'] {
  const { jobId: id } = event.data;
  const change = (after: Partial<OpenJob>): CardFees['jobs'] => {
    const job = jobs.get(id);
    return job ? jobs.set(id, { ...job, ...after }) : jobs;
  };
  switch (event.type) {
    case 'FeeJobQueued': {
      const { month, terms } = event.data;
      return jobs.set(id, { id, month, terms, revision, epoch: 0, upTo: '' });
    }
    case 'FeeJobClaimed':
      return change({ epoch: event.data.epoch });
    case 'FeesRecalculated':
      return change({ upTo: event.data.upTo });
    default:
      return jobs.remove(id);
  }
}

type ConfigurationEvent = Exclude<CardFeeEvent, JobEvent>;

function configurationAfter(fees: CardFees, event: ConfigurationEvent, moment: Moment): CardFees {
  switch (event.type) {
    case 'CardFeesOpened':
      return opened(fees, event.data);
    case 'CardFeeSettingsChanged':
      return { ...fees, settings: event.data };
    case 'CardBrandAdded':
    case 'CardBrandChanged':
      return { ...fees, brands: fees.brands.set(event.data.id, event.data) };
    case 'CardBrandDeleted':
      return withoutBrand(fees, event.data.id);
    case 'AutoAdjustConfigured':
      return { ...fees, autoAdjust: autoAdjustAfter(fees.autoAdjust, event.data, moment) };
    case 'AutoAdjustRan': {
      const { month: lastMonth, note: lastNote, status, accountId } = event.data;
      const autoAdjust = { ...fees.autoAdjust, lastMonth, lastNote, lastAt: moment.at };
      return { ...fees, autoAdjust, activeId: status === 'applied' ? accountId : fees.activeId };
    }
    default:
      return accountsAfter(fees, event, moment);
  }
}

const withoutBrand = (fees: CardFees, id: string): CardFees => ({
  ...fees,
  brands: fees.brands.remove(id),
  deletedBrands: deletedWith(fees, id),
  accounts: fees.accounts.map((account) =>
    account.brandRates.has(id) ? { ...account, brandRates: account.brandRates.remove(id) } : account,
  ),
});

function deletedWith({ brands, deletedBrands }: CardFees, id: string): CardFees['deletedBrands'] {
  const brand = brands.get(id);
  return brand ? deletedBrands.set(id, brand) : deletedBrands;
}

const autoAdjustAfter = (
  before: AutoAdjust,
  { enabled, tiers }: CardFeeFact<'AutoAdjustConfigured'>,
  { revision, at }: Moment,
): AutoAdjust => ({ ...before, enabled, tiers, enabledAt: enabled ? (before.enabledAt ?? at) : null, revision });

type AccountEvent = Extract<
  CardFeeEvent,
  { readonly type: `CardAccount${string}` | 'PaymentLinkAccountChosen' | 'FeeRatesReplaced' }
>;

function accountsAfter(fees: CardFees, event: AccountEvent, { revision }: Moment): CardFees {
  const { accountId: id } = event.data;
  const change = (after: (account: Account) => Account): CardFees['accounts'] => {
    const account = fees.accounts.get(id);
    return account ? fees.accounts.set(id, { ...after(account), revision }) : fees.accounts;
  };
  switch (event.type) {
    case 'CardAccountAdded': {
      const { accountId: _, ...details } = event.data;
      const account = { id, ...details, generalRates: [], brandRates: ImmutableMap<string, FeeRate[]>(), revision };
      const { activeId, paymentLinkId } = fees;
      return {
        ...fees,
        accounts: fees.accounts.set(id, account),
        activeId: activeId ?? id,
        paymentLinkId: paymentLinkId ?? id,
      };
    }
    case 'CardAccountChanged': {
      const { accountId: _, ...details } = event.data;
      return { ...fees, accounts: change((account) => ({ ...account, ...details })) };
    }
    case 'CardAccountActivated':
      return { ...fees, activeId: id, accounts: change((account) => account) };
    case 'PaymentLinkAccountChosen':
      return { ...fees, paymentLinkId: id, accounts: change((account) => account) };
    case 'CardAccountDeleted':
      return {
        ...fees,
        accounts: fees.accounts.remove(id),
        deletedAcquirers: acquirersWith(fees, id),
        paymentLinkId: fees.paymentLinkId === id ? fees.activeId : fees.paymentLinkId,
      };
    case 'FeeRatesReplaced': {
      const { cardBrandId, rates } = event.data;
      return { ...fees, accounts: change((account) => withRates(account, cardBrandId, rates)) };
    }
  }
}

function acquirersWith({ accounts, deletedAcquirers }: CardFees, id: string): CardFees['deletedAcquirers'] {
  const account = accounts.get(id);
  if (!account) return deletedAcquirers;
  const { acquirerTaxId, terminalId } = account;
  return deletedAcquirers.set(id, { id, acquirerTaxId, terminalId });
}

function withRates(account: Account, cardBrandId: string | null, rates: readonly FeeRate[]): Account {
  if (cardBrandId === null) return { ...account, generalRates: rates };
  const { brandRates } = account;
  return {
    ...account,
    brandRates: rates.length === 0 ? brandRates.remove(cardBrandId) : brandRates.set(cardBrandId, rates),
  };
}
