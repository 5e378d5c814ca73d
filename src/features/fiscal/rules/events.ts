import { z } from 'zod';
import type { EventOf } from '../../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../../kernel/events/event.js';
import { storedDecimal } from '../../../kernel/values/fields.js';
import { CSOSN, CST, INDUSTRY_CST } from '../domain/tax-rules.js';

/** How a store's goods are taxed. The two rules that every store begins with are facts only once somebody has changed them. */

const text = z.string();
const percent = storedDecimal.nullable();
const contribution = z.object({ cst: text, rate: percent, unitAmount: percent.optional() });

const rule = z.object({
  id: text,
  name: text,
  match: z.object({ ncmPrefix: text, ownProduction: z.boolean().nullable() }),
  origin: z.int(),
  cfopInState: text,
  cfopOutOfState: text,
  cfopOutOfStateConsumer: text,
  icms: z.object({ code: z.enum([...CSOSN, ...CST]), rate: percent, baseReductionPercent: percent }),
  pis: contribution,
  cofins: contribution,
  ibsCbs: z
    .object({
      cst: text,
      classCode: text,
      rates: z.object({ ibsState: storedDecimal, ibsCity: storedDecimal, cbs: storedDecimal }),
      reductionPercent: percent,
    })
    .nullable(),
  benefitCode: text.nullable().optional(),
  withheldIcms: z
    .object({ unitBase: storedDecimal, rate: storedDecimal, unitOwnTax: percent, unitTax: storedDecimal })
    .nullable()
    .optional(),
  ipi: z
    .object({ cst: z.enum(INDUSTRY_CST), legalCode: text, rate: percent })
    .nullable()
    .optional(),
  approximateTaxes: z
    .object({ federal: storedDecimal, state: storedDecimal, city: storedDecimal, source: text })
    .nullable()
    .optional(),
});

const created = defineEvent('TaxRuleCreated', 1, z.object({ rule }));
/** The rule as it is from now on, and what of it was otherwise before; absent in events of earlier releases. */
const changed = defineEvent('TaxRuleChanged', 1, z.object({ rule, was: rule.partial().optional() }));
const deleted = defineEvent('TaxRuleDeleted', 1, z.object({ id: text }));

export const taxRuleEvents = eventCodec(created, changed, deleted);
export type TaxRuleEvent = EventOf<typeof created | typeof changed | typeof deleted>;
