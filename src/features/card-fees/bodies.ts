import { z } from 'zod';
import { cnpj } from '../../brazil/cnpj.js';
import { ofOurTimes } from '../../kernel/values/days.js';
import { decimal, freeText, id, name } from '../../kernel/values/fields.js';
import { MOST_ACCOUNTS } from './domain/account-decisions.js';
import { MOST_BRANDS } from './domain/brand-decisions.js';
import { CARD_TYPES } from './events.js';

/** What requests about card fees hold. */

const NAME_LENGTH = 60;
const TERMINAL_LENGTH = 40;
const MOST_INSTALLMENTS = 12;
const MOST_DAYS = 365;
const MOST_TIERS = 20;
/** One for debit, the others for credit. */
const MOST_RATES = 1 + MOST_INSTALLMENTS;

const percent = decimal({ decimals: 4, minimum: 0, maximum: 100 });
const fixedFee = decimal({ decimals: 2, minimum: 0, maximum: 9_999.99 }).meta({
  description: 'An amount for every payment, beside the percentage',
});
const installments = z.int().min(1).max(MOST_INSTALLMENTS);
const days = z.int().min(0).max(MOST_DAYS).meta({ description: 'Days until the acquirer pays' });

interface Rated {
  readonly cardType?: 'debit' | 'credit';
  readonly installments: number;
}

/** A rate stands once, and debit has no instalments. */
function checkRates(rates: readonly Rated[], context: z.core.$RefinementCtx): void {
  const known = new Set<string>();
  for (const [index, { cardType = 'credit', installments: count }] of rates.entries()) {
    const complain = (message: string) => {
      context.addIssue({ code: 'custom', path: [index, 'installments'], message });
    };
    if (cardType === 'debit' && count !== 1) complain('must be 1 for debit');
    if (known.has(`${cardType}/${String(count)}`)) complain('stands twice for the same type of card');
    known.add(`${cardType}/${String(count)}`);
  }
}

const creditFees = z
  .array(z.strictObject({ installments, feePercent: percent }))
  .max(MOST_INSTALLMENTS)
  .superRefine((fees, context) => {
    checkRates(fees, context);
  })
  .meta({ description: 'All general rates for credit; a number of instalments that is left out has none' });

const general = {
  debitFeePercent: percent.nullable().optional().meta({ description: 'null: no general rate for debit' }),
  creditFees: creditFees.optional(),
  fixedFee: fixedFee.optional(),
};

const rates = z
  .array(
    z.strictObject({
      cardType: z.enum(CARD_TYPES),
      installments,
      feePercent: percent.nullable().meta({ description: 'null: the general rate of the machine counts' }),
    }),
  )
  .max(2 * MOST_RATES)
  .superRefine((given, context) => {
    checkRates(given, context);
  });

const details = {
  acquirer: freeText(NAME_LENGTH).nullable().optional(),
  acquirerTaxId: cnpj.nullable().optional().meta({ description: 'CNPJ; stands in invoices' }),
  terminalId: freeText(TERMINAL_LENGTH).nullable().optional(),
  settlementDaysDebit: days.optional(),
  settlementDaysCredit: days.optional(),
  ...general,
};

export const brandRates = z.strictObject({ cardBrandId: id, rates }).meta({ id: 'CardBrandRates' });

export const newAccount = z
  .strictObject({
    name: name(NAME_LENGTH),
    ...details,
    active: z.boolean().optional().meta({ description: 'true: it becomes the active one; the first one is by itself' }),
    useForPaymentLink: z.boolean().optional(),
    brandRates: z
      .array(z.strictObject({ cardBrandId: id, rates }))
      .max(MOST_BRANDS)
      .superRefine((given, context) => {
        const known = new Set<string>();
        for (const [index, { cardBrandId }] of given.entries()) {
          if (known.has(cardBrandId)) {
            context.addIssue({ code: 'custom', path: [index, 'cardBrandId'], message: 'stands twice' });
          }
          known.add(cardBrandId);
        }
      })
      .optional(),
  })
  .meta({ id: 'CardAccountBody' });
export type NewAccount = z.output<typeof newAccount>;

export const accountChanges = z
  .strictObject({ name: name(NAME_LENGTH).optional(), ...details })
  .meta({ id: 'CardAccountChanges' });
export type AccountChanges = z.output<typeof accountChanges>;

export const configuration = z
  .strictObject({
    settings: z
      .strictObject({
        enabled: z.boolean().optional().meta({ description: 'false: card payments cost nothing' }),
        maxInstallments: installments.optional().meta({ description: 'Of a sale' }),
      })
      .optional(),
    accounts: z
      .array(z.strictObject({ id, ...general }))
      .max(MOST_ACCOUNTS)
      .superRefine((given, context) => {
        const known = new Set<string>();
        for (const [index, account] of given.entries()) {
          if (known.has(account.id)) {
            context.addIssue({ code: 'custom', path: [index, 'id'], message: 'stands twice' });
          }
          known.add(account.id);
        }
      })
      .optional()
      .meta({ description: 'Those that are left out stay as they are' }),
  })
  .meta({ id: 'CardFeeConfigurationChanges' });

const tBand = z
  .string()
  .regex(/^[0-9]{1,2}$/, { error: 'must be 1 or 2 digits' })
  .transform((code) => code.padStart(2, '0'))
  .meta({ type: 'string', pattern: '^[0-9]{1,2}$' })
  .nullable()
  .meta({ description: 'Code of NFC-e; null: none' });

export const newBrand = z
  .strictObject({ name: name(NAME_LENGTH), tBand: tBand.optional() })
  .meta({ id: 'CardBrandBody' });
export const brandChanges = z
  .strictObject({ name: name(NAME_LENGTH).optional(), tBand: tBand.optional(), active: z.boolean().optional() })
  .meta({ id: 'CardBrandChanges' });

const MOST_MONEY = 999_999_999_999.99;

export const autoAdjust = z
  .strictObject({
    enabled: z.boolean(),
    tiers: z
      .array(
        z.strictObject({
          minGross: decimal({ decimals: 2, minimum: 0, maximum: MOST_MONEY }).meta({
            description: 'Card volume of the month before from which on the machine is used',
          }),
          accountId: id,
        }),
      )
      .max(MOST_TIERS),
  })
  .superRefine(({ enabled, tiers }, context) => {
    if (enabled && tiers.length === 0) {
      context.addIssue({ code: 'custom', path: ['tiers'], message: 'must not be empty while the adjustment is on' });
    }
    const known = new Set<string>();
    for (const [index, { minGross }] of tiers.entries()) {
      if (known.has(minGross.toString())) {
        context.addIssue({ code: 'custom', path: ['tiers', index, 'minGross'], message: 'stands twice' });
      }
      known.add(minGross.toString());
    }
  })
  .meta({ id: 'AutoAdjustBody' });

export const monthText = z
  .string()
  .regex(/^[0-9]{4}-(?:0[1-9]|1[0-2])$/, { error: 'must be a month such as 2026-11' })
  .meta({ type: 'string', pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$', examples: ['2026-11'] });

export const ofMonth = z.strictObject({ month: monthText.refine(...ofOurTimes) }).meta({ id: 'CardFeeMonth' });
