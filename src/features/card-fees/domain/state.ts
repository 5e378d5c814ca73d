import { Map as ImmutableMap } from 'immutable';
import { CARD_BRANDS } from '../../../brazil/card-brands.js';
import { uuidV5 } from '../../../kernel/values/ids.js';
import type { AccountDetails, CardBrand, CardFeeFact, FeeRate, FeeSettings, FrozenTerms, Tier } from '../events.js';

/** A card machine with its rates. */
export interface Account extends AccountDetails {
  readonly id: string;
  readonly generalRates: readonly FeeRate[];
  /** By brand, only those that were set. */
  readonly brandRates: ImmutableMap<string, readonly FeeRate[]>;
  /** The revision of its own last change. */
  readonly revision: number;
}

/** How invoices name a machine. */
type Acquirer = Pick<Account, 'id' | 'acquirerTaxId' | 'terminalId'>;

export interface AutoAdjust {
  readonly enabled: boolean;
  readonly tiers: readonly Tier[];
  /** Since when it has been on; null while it is off. */
  readonly enabledAt: string | null;
  readonly lastMonth: string | null;
  readonly lastAt: string | null;
  readonly lastNote: string | null;
  /** The revision of its last configuration. */
  readonly revision: number;
}

/** A recalculation that is not over. */
export interface OpenJob {
  readonly id: string;
  readonly month: string;
  readonly terms: FrozenTerms;
  /** The revision of the fact that queued it: the payments that it concerns are those before it. */
  readonly revision: number;
  /** 0 until somebody works on it. */
  readonly epoch: number;
  /** The place up to which the month is done; empty at the beginning. */
  readonly upTo: string;
}

export interface CardFees {
  /** Whether anything was recorded. */
  readonly opened: boolean;
  readonly settings: FeeSettings;
  readonly accounts: ImmutableMap<string, Account>;
  readonly brands: ImmutableMap<string, CardBrand>;
  /** Those that were deleted, as they were last: a sale may come to be while its brand is deleted. */
  readonly deletedBrands: ImmutableMap<string, CardBrand>;
  /** Those of machines that were deleted: what was paid with them may be taxed later. */
  readonly deletedAcquirers: ImmutableMap<string, Acquirer>;
  /** Null while there is no machine. */
  readonly activeId: string | null;
  readonly paymentLinkId: string | null;
  readonly autoAdjust: AutoAdjust;
  readonly jobs: ImmutableMap<string, OpenJob>;
  /** The revision of the last change of the configuration. */
  readonly revision: number;
}

export const NO_CARD_FEES: CardFees = {
  opened: false,
  settings: { enabled: true, maxInstallments: 12 },
  accounts: ImmutableMap(),
  brands: ImmutableMap(),
  deletedBrands: ImmutableMap(),
  deletedAcquirers: ImmutableMap(),
  activeId: null,
  paymentLinkId: null,
  autoAdjust: {
    enabled: false,
    tiers: [],
    enabledAt: null,
    lastMonth: null,
    lastAt: null,
    lastNote: null,
    revision: 0,
  },
  jobs: ImmutableMap(),
  revision: 0,
};

/** What a store has from its beginning: the brands that invoices know, and fees switched on. */
export function firstConfiguration(storeId: string): CardFeeFact<'CardFeesOpened'> {
  const brands = CARD_BRANDS.map(([tBand, name]) => ({
    id: uuidV5(storeId, `card brand ${tBand}`),
    name,
    tBand,
    active: true,
  }));
  return { settings: NO_CARD_FEES.settings, brands };
}

/** What was recorded, with the first configuration where nothing was. */
export const withFirst = (fees: CardFees, storeId: string): CardFees =>
  fees.opened ? fees : opened(fees, firstConfiguration(storeId));

export const opened = (fees: CardFees, { settings, brands }: CardFeeFact<'CardFeesOpened'>): CardFees => ({
  ...fees,
  opened: true,
  settings,
  brands: ImmutableMap(brands.map((brand) => [brand.id, brand])),
});

/** A brand that a payment names, also when it is deleted by now. */
export const brandOf = ({ brands, deletedBrands }: CardFees, id: string | null): CardBrand | undefined =>
  id === null ? undefined : (brands.get(id) ?? deletedBrands.get(id));

/** How a payment's machine is named, also when it is deleted by now. */
export const acquirerOf = ({ accounts, deletedAcquirers }: CardFees, id: string | null): Acquirer | undefined =>
  id === null ? undefined : (accounts.get(id) ?? deletedAcquirers.get(id));

/** The rates of the active machine as they are now. */
export function termsOf({ settings, accounts, activeId }: CardFees): FrozenTerms {
  const account = activeId === null ? undefined : accounts.get(activeId);
  if (!account) return { enabled: settings.enabled, account: null };
  const { id, name, fixedFee, generalRates, brandRates } = account;
  const rates = [
    ...generalRates.map((rate) => ({ ...rate, cardBrandId: null })),
    ...[...brandRates].flatMap(([cardBrandId, own]) => own.map((rate) => ({ ...rate, cardBrandId }))),
  ];
  return { enabled: settings.enabled, account: { id, name, fixedFee, rates } };
}
