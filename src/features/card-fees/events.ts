import { z } from 'zod';
import type { EventOf } from '../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../kernel/events/event.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { storedDecimal } from '../../kernel/values/fields.js';

/**
 * What card payments cost a store: its machines with their rates, the brands, the machine's choice by volume, and recalculations of
 * months. A changed fee is a fact of this stream; the sale keeps what it was sold with.
 */

const text = z.string();
const optionalText = z.string().nullable();

export const CARD_TYPES = ['debit', 'credit'] as const;

const settings = z.object({ enabled: z.boolean(), maxInstallments: z.int() });

const brand = z.object({ id: text, name: text, tBand: optionalText, active: z.boolean() });

const accountDetails = z.object({
  name: text,
  acquirer: optionalText,
  acquirerTaxId: optionalText,
  terminalId: optionalText,
  fixedFee: storedDecimal,
  settlementDaysDebit: z.int(),
  settlementDaysCredit: z.int(),
});

const rate = z.object({
  cardType: z.enum(CARD_TYPES),
  installments: z.int(),
  /** Null of a brand's own rate: the machine's general one counts. */
  feePercent: storedDecimal.nullable(),
});

const tier = z.object({ minGross: storedDecimal, accountId: text });

// Configuration

/** What a store has from its beginning; recorded before its first change. */
const cardFeesOpened = defineEvent('CardFeesOpened', 1, z.object({ settings, brands: z.array(brand) }));
const cardFeeSettingsChanged = defineEvent('CardFeeSettingsChanged', 1, settings);
const cardAccountAdded = defineEvent('CardAccountAdded', 1, accountDetails.extend({ accountId: text }));
const cardAccountChanged = defineEvent('CardAccountChanged', 1, accountDetails.extend({ accountId: text }));
const cardAccountActivated = defineEvent('CardAccountActivated', 1, z.object({ accountId: text }));
const paymentLinkAccountChosen = defineEvent('PaymentLinkAccountChosen', 1, z.object({ accountId: text }));
const cardAccountDeleted = defineEvent('CardAccountDeleted', 1, z.object({ accountId: text }));
/** All rates of a machine for one brand; its general ones where no brand is named. */
const feeRatesReplaced = defineEvent(
  'FeeRatesReplaced',
  1,
  z.object({ accountId: text, cardBrandId: optionalText, rates: z.array(rate) }),
);
const cardBrandAdded = defineEvent('CardBrandAdded', 1, brand);
const cardBrandChanged = defineEvent('CardBrandChanged', 1, brand);
const cardBrandDeleted = defineEvent('CardBrandDeleted', 1, z.object({ id: text }));

// The machine's choice by volume

export const ADJUSTMENTS = ['applied', 'unchanged', 'below_first_tier'] as const;

const autoAdjustConfigured = defineEvent(
  'AutoAdjustConfigured',
  1,
  z.object({ enabled: z.boolean(), tiers: z.array(tier) }),
);
/** `month` is the one whose volume chose; with `applied` the machine became the active one. */
const autoAdjustRan = defineEvent(
  'AutoAdjustRan',
  1,
  z.object({
    month: text,
    volume: storedDecimal,
    status: z.enum(ADJUSTMENTS),
    accountId: optionalText,
    accountName: optionalText,
    note: text,
    trigger: z.enum(['SCHEDULE', 'HAND']),
  }),
);

// Recalculations of months

/** The rates that a recalculation uses, as they were when it was asked for. */
const frozenTerms = z.object({
  enabled: z.boolean(),
  account: z
    .object({
      id: text,
      name: text,
      fixedFee: storedDecimal,
      rates: z.array(rate.extend({ cardBrandId: optionalText })),
    })
    .nullable(),
});

const feeJobQueued = defineEvent('FeeJobQueued', 1, z.object({ jobId: text, month: text, terms: frozenTerms }));
/** Who works on it from now on; what was claimed with a smaller epoch is refused. */
const feeJobClaimed = defineEvent('FeeJobClaimed', 1, z.object({ jobId: text, epoch: z.int() }));

const progress = z.object({
  updated: z.int(),
  skipped: z.int(),
  failed: z.int(),
  grossTotal: storedDecimal,
  feeBefore: storedDecimal,
  feeAfter: storedDecimal,
});

/** Payments of one day whose fee changed from one percentage to another. */
const feeChanges = z.object({
  occurredOn: text,
  previousFeePercent: storedDecimal.nullable(),
  feePercent: storedDecimal,
  fixedFee: storedDecimal,
  payments: z.array(
    z.object({
      saleId: text,
      /** The number of the sale. */
      number: z.int(),
      /** Which payment of the sale, from 0. */
      payment: z.int(),
      previousFee: storedDecimal.nullable(),
      fee: storedDecimal,
    }),
  ),
});

/** One batch of a job: what it looked at, up to which place in the month, and what it changed. */
const feesRecalculated = defineEvent(
  'FeesRecalculated',
  1,
  z.object({
    jobId: text,
    epoch: z.int(),
    month: text,
    accountId: optionalText,
    accountName: optionalText,
    upTo: text,
    progress,
    changes: z.array(feeChanges),
  }),
);
const feeJobFinished = defineEvent('FeeJobFinished', 1, z.object({ jobId: text, epoch: z.int() }));
const feeJobFailed = defineEvent('FeeJobFailed', 1, z.object({ jobId: text, epoch: z.int(), error: text }));
const feeJobCancelled = defineEvent('FeeJobCancelled', 1, z.object({ jobId: text }));

const definitions = [
  cardFeesOpened,
  cardFeeSettingsChanged,
  cardAccountAdded,
  cardAccountChanged,
  cardAccountActivated,
  paymentLinkAccountChosen,
  cardAccountDeleted,
  feeRatesReplaced,
  cardBrandAdded,
  cardBrandChanged,
  cardBrandDeleted,
  autoAdjustConfigured,
  autoAdjustRan,
  feeJobQueued,
  feeJobClaimed,
  feesRecalculated,
  feeJobFinished,
  feeJobFailed,
  feeJobCancelled,
] as const;

export const cardFeeEvents = eventCodec(...definitions);
export type CardFeeEvent = EventOf<(typeof definitions)[number]>;
export type CardFeeFact<T extends CardFeeEvent['type']> = Extract<CardFeeEvent, { readonly type: T }>['data'];

/** What a snapshot keeps in the shape of events. */
export const savedParts = { settings, brand, accountDetails, rate, tier, frozenTerms };

export type FeeSettings = z.output<typeof settings>;
export type CardBrand = z.output<typeof brand>;
export type AccountDetails = z.output<typeof accountDetails>;
export type FeeRate = z.output<typeof rate>;
export type CardType = FeeRate['cardType'];
export type Tier = z.output<typeof tier>;
export type FrozenTerms = z.output<typeof frozenTerms>;
export type BatchProgress = z.output<typeof progress>;
export type FeeChanges = z.output<typeof feeChanges>;

export const NO_PROGRESS: BatchProgress = {
  updated: 0,
  skipped: 0,
  failed: 0,
  grossTotal: Decimal.zero,
  feeBefore: Decimal.zero,
  feeAfter: Decimal.zero,
};

export const addProgress = (one: BatchProgress, other: BatchProgress): BatchProgress => ({
  updated: one.updated + other.updated,
  skipped: one.skipped + other.skipped,
  failed: one.failed + other.failed,
  grossTotal: one.grossTotal.plus(other.grossTotal),
  feeBefore: one.feeBefore.plus(other.feeBefore),
  feeAfter: one.feeAfter.plus(other.feeAfter),
});

/** So many sales, by their numbers, lie together in the index of a day's card payments. */
const SALES_TOGETHER = 100;
const NUMBER_DIGITS = 12;

/** Where the index of card payments keeps those of a sale. As texts these places are in the order of days. */
export const placeOf = (occurredOn: string, number: number): string =>
  `${occurredOn}/${String(Math.floor(number / SALES_TOGETHER)).padStart(NUMBER_DIGITS, '0')}`;
