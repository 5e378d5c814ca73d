import { z } from 'zod';
import { actor } from '../contracts/actor.js';
import type { Account, AutoAdjust, CardFees } from './domain/state.js';
import { ADJUSTMENTS, CARD_TYPES } from './events.js';

const rate = z.object({
  cardType: z.enum(CARD_TYPES),
  installments: z.int(),
  feePercent: z.number().nullable().meta({ description: 'null: the general rate of the machine counts' }),
});

export const accountAnswer = z
  .object({
    id: z.uuid(),
    name: z.string(),
    acquirer: z.string().nullable(),
    acquirerTaxId: z.string().nullable(),
    terminalId: z.string().nullable(),
    active: z.boolean().meta({ description: 'Its rates count for new sales' }),
    useForPaymentLink: z.boolean(),
    debitFeePercent: z.number().nullable(),
    creditFees: z.array(z.object({ installments: z.int(), feePercent: z.number() })),
    fixedFee: z.number(),
    settlementDaysDebit: z.int(),
    settlementDaysCredit: z.int(),
    brandRates: z.array(z.object({ cardBrandId: z.uuid(), rates: z.array(rate) })),
  })
  .meta({ id: 'CardAccount' });

const brandAnswer = z
  .object({ id: z.uuid(), name: z.string(), tBand: z.string().nullable(), active: z.boolean() })
  .meta({ id: 'CardBrand' });

export const autoAdjustAnswer = z
  .object({
    enabled: z.boolean(),
    lastMonth: z.string().nullable().meta({ description: 'Whose volume was used last' }),
    lastAt: z.iso.datetime().nullable(),
    lastNote: z.string().nullable(),
    tiers: z.array(z.object({ minGross: z.number(), accountId: z.uuid() })),
  })
  .meta({ id: 'AutoAdjust' });

export const configurationAnswer = z
  .object({
    settings: z.object({ enabled: z.boolean(), maxInstallments: z.int() }),
    accounts: z.array(accountAnswer),
    brands: z.array(brandAnswer),
    autoAdjust: autoAdjustAnswer,
  })
  .meta({ id: 'CardFeeConfiguration' });

export const runAnswer = z
  .object({
    result: z.object({
      status: z.enum([...ADJUSTMENTS, 'already_run']),
      month: z.string(),
      volume: z.number(),
      accountId: z.uuid().nullable(),
      accountName: z.string().nullable(),
      note: z.string().nullable(),
    }),
    payload: configurationAnswer,
  })
  .meta({ id: 'AutoAdjustRun' });

const progress = z.object({
  matched: z.int(),
  updated: z.int(),
  skipped: z.int().meta({ description: 'Their fee is what it was' }),
  failed: z.int().meta({ description: 'Without a rate: they keep what they had' }),
});

const AS_OF = 'Position in the log, as X-Position has it: what was sold or cancelled later is not in the figures';

export const jobAnswer = z
  .object({
    id: z.uuid(),
    month: z.string(),
    status: z.enum(['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED']),
    accountName: z.string().nullable(),
    progress,
    grossTotal: z.number(),
    feeBefore: z.number(),
    feeAfter: z.number(),
    asOf: z.string().meta({ description: AS_OF }),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
    createdBy: actor,
    error: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'CardFeeJob' });

export const previewAnswer = z
  .object({
    month: z.string(),
    dryRun: z.literal(true),
    activeAccountName: z.string().nullable(),
    totalMatched: z.int(),
    updated: z.int(),
    skipped: z.int(),
    failed: z.int(),
    grossTotal: z.number(),
    feeBefore: z.number(),
    feeAfter: z.number(),
    asOf: z.string().meta({ description: AS_OF }),
  })
  .meta({ id: 'CardFeePreview' });

const figures = {
  payments: z.int(),
  gross: z.number(),
  fee: z.number(),
  effectivePercent: z
    .number()
    .nullable()
    .meta({ description: 'Of what the payments with a fee came to; null where none has one' }),
  pending: z.int().meta({ description: 'Payments whose fee is not known' }),
};

export const summaryAnswer = z
  .object({
    month: z.string(),
    asOf: z.string().meta({ description: AS_OF }),
    total: z.object(figures),
    rows: z.array(
      z.object({
        accountId: z.uuid().nullable(),
        accountName: z.string().nullable(),
        cardBrandId: z.uuid().nullable(),
        brandName: z.string().nullable(),
        cardType: z.enum(CARD_TYPES),
        ...figures,
      }),
    ),
  })
  .meta({ id: 'CardFeeSummary' });

export function accountOf({ activeId, paymentLinkId }: CardFees, account: Account): z.output<typeof accountAnswer> {
  const { id, generalRates, brandRates } = account;
  const debit = generalRates.find(({ cardType }) => cardType === 'debit');
  return {
    id,
    name: account.name,
    acquirer: account.acquirer,
    acquirerTaxId: account.acquirerTaxId,
    terminalId: account.terminalId,
    active: id === activeId,
    useForPaymentLink: id === paymentLinkId,
    debitFeePercent: debit?.feePercent?.toNumber() ?? null,
    creditFees: generalRates
      .filter(({ cardType }) => cardType === 'credit')
      .map(({ installments, feePercent }) => ({ installments, feePercent: feePercent?.toNumber() ?? 0 })),
    fixedFee: account.fixedFee.toNumber(),
    settlementDaysDebit: account.settlementDaysDebit,
    settlementDaysCredit: account.settlementDaysCredit,
    brandRates: [...brandRates]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([cardBrandId, rates]) => ({
        cardBrandId,
        rates: rates.map((one) => ({ ...one, feePercent: one.feePercent?.toNumber() ?? null })),
      })),
  };
}

export const autoAdjustOf = ({
  enabled,
  lastMonth,
  lastAt,
  lastNote,
  tiers,
}: AutoAdjust): z.output<typeof autoAdjustAnswer> => ({
  enabled,
  lastMonth,
  lastAt,
  lastNote,
  tiers: tiers.map(({ minGross, accountId }) => ({ minGross: minGross.toNumber(), accountId })),
});

/** Machines in the order of their making; brands by their codes, those without one last. */
export const configurationOf = (fees: CardFees): z.output<typeof configurationAnswer> => ({
  settings: fees.settings,
  accounts: [...fees.accounts.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((account) => accountOf(fees, account)),
  brands: [...fees.brands.values()].sort((a, b) => {
    const [one, other] = [`${a.tBand ?? '~'} ${a.name}`, `${b.tBand ?? '~'} ${b.name}`];
    return one < other ? -1 : 1;
  }),
  autoAdjust: autoAdjustOf(fees.autoAdjust),
});
