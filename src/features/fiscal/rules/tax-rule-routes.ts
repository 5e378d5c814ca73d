import { z } from 'zod';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { listAnswer, listQuery, pageById } from '../../../kernel/routes/lists.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { defined } from '../../../kernel/values/defined.js';
import { decimal, digits, name, pathId } from '../../../kernel/values/fields.js';
import type { StoreDirectory } from '../../contracts/feature.js';
import type { ContributionRule, TaxRule } from '../domain/tax-rules.js';
import { CSOSN, CST, INDUSTRY_CST, WHOLE_REFORM_RULE } from '../domain/tax-rules.js';
import { rulesOf } from './tax-rule-book.js';
import type { RuleInForce } from './tax-rule-decider.js';
import { taxRules } from './tax-rule-decider.js';

const percent = decimal({ decimals: 4, minimum: 0, maximum: 100 });
const unitAmount = decimal({ decimals: 4, minimum: 0, maximum: 999_999_999 });
const code = z.enum([...CSOSN, ...CST]);
const contribution = z
  .strictObject({
    cst: digits(2),
    rate: percent.nullable().optional(),
    unitAmount: unitAmount
      .nullable()
      .optional()
      .meta({ description: 'Of code 03: reais for one taxable unit (uTrib)' }),
  })
  .transform(({ cst, rate = null, unitAmount: each = null }) => ({
    cst,
    rate,
    ...(each === null ? {} : { unitAmount: each }),
  }));

const members = {
  name: name(120),
  match: z
    .strictObject({
      ncmPrefix: z
        .string()
        .regex(/^[0-9]{0,8}$/, { error: 'must be at most 8 digits' })
        .default(''),
      ownProduction: z.boolean().nullable().default(null),
    })
    .meta({ description: 'An empty prefix fits every NCM, null every origin' }),
  origin: z.int().min(0).max(8),
  cfopInState: z.string().regex(/^5[0-9]{3}$/, { error: 'must be 4 digits and begin with 5' }),
  cfopOutOfState: z.string().regex(/^6[0-9]{3}$/, { error: 'must be 4 digits and begin with 6' }),
  cfopOutOfStateConsumer: z.string().regex(/^6[0-9]{3}$/, { error: 'must be 4 digits and begin with 6' }),
  icms: z
    .strictObject({
      code: code.meta({ description: 'CSOSN; CST under NORMAL and SIMPLES_EXCESS' }),
      rate: percent.nullable().optional(),
      baseReductionPercent: percent.nullable().optional(),
    })
    .transform(({ code: icms, rate = null, baseReductionPercent = null }) => ({
      code: icms,
      rate,
      baseReductionPercent,
    })),
  pis: contribution,
  cofins: contribution,
  ibsCbs: z
    .strictObject({
      cst: digits(3),
      classCode: digits(6),
      rates: z
        .strictObject({ ibsState: percent.optional(), ibsCity: percent.optional(), cbs: percent.optional() })
        .transform((rates) => ({ ...WHOLE_REFORM_RULE.rates, ...defined(rates) }))
        .optional(),
      reductionPercent: percent.nullable().optional(),
    })
    .transform(({ cst, classCode, rates = WHOLE_REFORM_RULE.rates, reductionPercent = null }) => ({
      cst,
      classCode,
      rates,
      reductionPercent,
    }))
    .nullable(),
  benefitCode: z
    .string()
    .regex(/^(?:[0-9A-Z]{8}|[0-9A-Z]{10}|SEM CBENEF)$/, {
      error: 'must be 8 or 10 capital letters or digits, or SEM CBENEF',
    })
    .nullable()
    .optional()
    .meta({ description: 'cBenef: the code of the benefit, where the state asks for one' }),
  withheldIcms: z
    .strictObject({
      unitBase: unitAmount,
      rate: percent,
      unitOwnTax: unitAmount.nullable().optional(),
      unitTax: unitAmount,
    })
    .transform(({ unitOwnTax = null, ...rest }) => ({ ...rest, unitOwnTax }))
    .nullable()
    .optional()
    .meta({ description: 'Of codes 500 and 60: the ICMS kept back before, for one unit as it is sold' }),
  ipi: z
    .strictObject({
      cst: z.enum(INDUSTRY_CST),
      legalCode: digits(3).default('999').meta({ description: 'cEnq' }),
      rate: percent.nullable().optional(),
    })
    .transform(({ cst, legalCode, rate = null }) => ({ cst, legalCode, rate }))
    .nullable()
    .optional()
    .meta({ description: 'Of model 55. A rate (codes 50 and 99, regime NORMAL) is taken out of the price' }),
  approximateTaxes: z
    .strictObject({ federal: percent, state: percent, city: percent.optional(), source: name(60) })
    .transform(({ city = Decimal.zero, ...rest }) => ({ ...rest, city }))
    .nullable()
    .optional()
    .meta({ description: 'Law 12.741: percent of the price that are taxes, told to consumers with its source' }),
};

const newRule = z
  .strictObject({ ...members, origin: members.origin.default(0), ibsCbs: members.ibsCbs.optional() })
  .meta({ id: 'TaxRuleBody' });
const ruleChanges = z.strictObject(members).partial().meta({ id: 'TaxRuleChanges' });

const number = z.number();
const contributionAnswer = z.object({ cst: z.string(), rate: number.nullable(), unitAmount: number.nullable() });
const answer = z
  .object({
    id: z.uuid(),
    name: z.string(),
    match: z.object({ ncmPrefix: z.string(), ownProduction: z.boolean().nullable() }),
    origin: z.int(),
    cfopInState: z.string(),
    cfopOutOfState: z.string(),
    cfopOutOfStateConsumer: z.string(),
    icms: z.object({ code, rate: number.nullable(), baseReductionPercent: number.nullable() }),
    pis: contributionAnswer,
    cofins: contributionAnswer,
    ibsCbs: z
      .object({
        cst: z.string(),
        classCode: z.string(),
        rates: z.object({ ibsState: number, ibsCity: number, cbs: number }),
        reductionPercent: number.nullable(),
      })
      .nullable(),
    benefitCode: z.string().nullable(),
    withheldIcms: z
      .object({ unitBase: number, rate: number, unitOwnTax: number.nullable(), unitTax: number })
      .nullable(),
    ipi: z.object({ cst: z.enum(INDUSTRY_CST), legalCode: z.string(), rate: number.nullable() }).nullable(),
    approximateTaxes: z.object({ federal: number, state: number, city: number, source: z.string() }).nullable(),
  })
  .meta({ id: 'TaxRule' });

type Shown<T> = T extends Decimal ? number : T extends object ? { [K in keyof T]: Shown<T[K]> } : T;

function shown<T>(value: T): Shown<T> {
  if (value instanceof Decimal) return value.toNumber() as Shown<T>;
  if (typeof value !== 'object' || value === null) return value as Shown<T>;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shown(member)])) as Shown<T>;
}

/** Rules that were written before these members were known say nothing of them. */
export const answerOf = (rule: TaxRule) => {
  const { benefitCode = null, withheldIcms = null, ipi = null, approximateTaxes = null } = rule;
  const whole = ({ unitAmount: each = null, ...rest }: ContributionRule) => ({ ...rest, unitAmount: each });
  const [pis, cofins] = [whole(rule.pis), whole(rule.cofins)];
  return shown({ ...rule, pis, cofins, benefitCode, withheldIcms, ipi, approximateTaxes });
};

const params = z.strictObject({ id: pathId });
const viewing = { tag: 'Fiscal documents', permission: 'fiscal.view' } as const;
const managing = { tag: 'Fiscal documents', permission: 'fiscal.manage' } as const;
const query = listQuery.pick({ cursor: true, limit: true });

export function taxRuleRoutes(stores: StoreDirectory): readonly Route[] {
  async function reply(context: RequestContext, id: string): Promise<Reply> {
    const { rules } = await rulesOf(stores, context);
    const found = rules.find(({ rule }) => rule.id === id);
    if (!found) throw new Rejection(NOT_FOUND);
    return ruleReply(found);
  }

  return [
    route({
      ...viewing,
      method: 'get',
      path: '/fiscal/tax-rules',
      summary: 'Lists the rules by which goods are taxed',
      description:
        'The most specific counts: the one that a product names, else the longest prefix, else one that names own production.',
      request: { query },
      response: { status: 200, schema: listAnswer(answer) },
      async handle(input, context) {
        const { rules } = await rulesOf(stores, context);
        const { items, nextCursor } = pageById('tax-rules', rules, ({ rule }) => rule.id, input.query);
        return { body: { items: items.map(({ rule }) => answerOf(rule)), nextCursor } };
      },
    }),
    route({
      ...viewing,
      method: 'get',
      path: '/fiscal/tax-rules/{id}',
      summary: 'Gives one rule with its entity tag',
      request: { params },
      response: { status: 200, schema: answer, etag: true },
      handle: (input, context) => reply(context, input.params.id),
    }),
    route({
      ...managing,
      method: 'post',
      path: '/fiscal/tax-rules',
      summary: 'Adds a rule by which goods are taxed',
      request: { body: newRule },
      response: { status: 201, schema: answer, etag: true },
      async handle({ body: { ibsCbs = null, ...rest } }, context) {
        const rule: TaxRule = { id: context.newId(), ...rest, ibsCbs };
        await context.execute(taxRules, { type: 'create', rule }, { name: 'rule' });
        return reply(context, rule.id);
      },
    }),
    route({
      ...managing,
      method: 'patch',
      path: '/fiscal/tax-rules/{id}',
      ifMatch: true,
      summary: 'Changes a rule; omitted fields stay',
      description: 'A rule of the beginning follows the regime of the store until it is changed.',
      request: { params, body: ruleChanges },
      response: { status: 200, schema: answer, etag: true },
      async handle({ params: { id }, body }, context) {
        const { defaults } = await rulesOf(stores, context);
        const changes = defined(body) as Partial<Omit<TaxRule, 'id'>>;
        await context.execute(taxRules, { type: 'change', id, changes, defaults, ifMatch: context.ifMatch });
        return reply(context, id);
      },
    }),
    route({
      ...managing,
      method: 'delete',
      path: '/fiscal/tax-rules/{id}',
      ifMatch: true,
      summary: 'Deletes a rule',
      request: { params },
      response: { status: 204 },
      async handle({ params: { id } }, context) {
        const { defaults } = await rulesOf(stores, context);
        await context.execute(taxRules, { type: 'delete', id, defaults, ifMatch: context.ifMatch });
        return {};
      },
    }),
  ];
}

const ruleReply = ({ rule, revision }: RuleInForce): Reply => ({ body: answerOf(rule), etag: revision });
