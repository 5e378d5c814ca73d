import { Map as ImmutableMap } from 'immutable';
import { z } from 'zod';
import type { SnapshotCodec } from '../../../kernel/events/decider.js';
import { savedParts } from '../events.js';
import type { Account, AutoAdjust, CardFees, OpenJob } from './state.js';

const { settings, brand, accountDetails, rate, tier, frozenTerms } = savedParts;
const optionalText = z.string().nullable();

const savedAccount = accountDetails.extend({
  id: z.string(),
  generalRates: z.array(rate),
  brandRates: z.array(z.tuple([z.string(), z.array(rate)])),
  revision: z.int(),
});

const savedFees = z.object({
  opened: z.boolean(),
  settings,
  accounts: z.array(savedAccount),
  brands: z.array(brand),
  deletedBrands: z.array(brand),
  deletedAcquirers: z.array(savedAccount.pick({ id: true, acquirerTaxId: true, terminalId: true })),
  activeId: optionalText,
  paymentLinkId: optionalText,
  autoAdjust: z.object({
    enabled: z.boolean(),
    tiers: z.array(tier),
    enabledAt: optionalText,
    lastMonth: optionalText,
    lastAt: optionalText,
    lastNote: optionalText,
    revision: z.int(),
  }),
  jobs: z.array(
    z.object({
      id: z.string(),
      month: z.string(),
      terms: frozenTerms,
      revision: z.int(),
      epoch: z.int(),
      upTo: z.string(),
    }),
  ),
  revision: z.int(),
});

const accountOf = ({ brandRates, ...account }: z.output<typeof savedAccount>): Account => ({
  ...account,
  brandRates: ImmutableMap(brandRates),
});

const byId = <T extends { readonly id: string }>(items: readonly T[]): ImmutableMap<string, T> =>
  ImmutableMap(items.map((item) => [item.id, item]));

/** One line: the state is small, but the events of a recalculation are not. */
export const cardFeesSnapshot: SnapshotCodec<CardFees> = {
  version: 3,
  everyEvents: 20,
  save: (fees) => [
    {
      ...fees,
      accounts: [...fees.accounts.values()].map((account) => ({ ...account, brandRates: [...account.brandRates] })),
      brands: [...fees.brands.values()],
      deletedBrands: [...fees.deletedBrands.values()],
      deletedAcquirers: [...fees.deletedAcquirers.values()],
      jobs: [...fees.jobs.values()],
    },
  ],
  load() {
    let saved: unknown;
    return {
      add(part) {
        saved = part;
      },
      state() {
        const { accounts, brands, deletedBrands, deletedAcquirers, jobs, autoAdjust, ...rest } = savedFees.parse(saved);
        return {
          ...rest,
          accounts: byId(accounts.map(accountOf)),
          brands: byId(brands),
          deletedBrands: byId(deletedBrands),
          deletedAcquirers: byId(deletedAcquirers),
          jobs: byId(jobs satisfies readonly OpenJob[]),
          autoAdjust: autoAdjust satisfies AutoAdjust,
        };
      },
    };
  },
};
