import { Map as ImmutableMap } from 'immutable';
import type { Commands } from '../../../kernel/lanes/commands.js';
import { memoise } from '../../../kernel/values/memoise.js';
import { uuidV5 } from '../../../kernel/values/ids.js';
import type { TaxRuleDirectory } from '../../contracts/tax-rule-directory.js';
import type { StoreThen } from '../../contracts/audited-record.js';
import type { StoreDirectory } from '../../contracts/feature.js';
import type { TaxRule } from '../domain/tax-rules.js';
import { defaultRules } from '../domain/tax-rules.js';
import type { RuleInForce, TaxRules } from './tax-rule-decider.js';
import { rulesInForce, taxRules } from './tax-rule-decider.js';

/** The rules with which a store begins, as its regime has them now. */
const rulesAtFirst = memoise(({ id, fiscal: { taxRegime, address } }: StoreThen): readonly TaxRule[] =>
  defaultRules(
    { own: uuidV5(id, 'tax rule: own production'), bought: uuidV5(id, 'tax rule: bought') },
    taxRegime,
    address?.state,
  ),
);
const NO_RULES: readonly TaxRule[] = [];

/** The same as the state of a store that has none of its own. */
export const givenRules = (store: StoreThen): TaxRules =>
  ImmutableMap(rulesAtFirst(store).map((rule) => [rule.id, { rule, revision: 0 }]));

/** Every document asks, and they hardly ever change. */
const inForce = memoise((own: TaxRules) =>
  memoise((defaults: readonly TaxRule[]) => {
    const rules = rulesInForce(own, defaults);
    return { defaults, rules, plain: rules.map(({ rule }) => rule) };
  }),
);

interface StoreRules {
  readonly defaults: readonly TaxRule[];
  readonly rules: readonly RuleInForce[];
  /** The same without their entity tags. */
  readonly plain: readonly TaxRule[];
}

export async function rulesOf(stores: StoreDirectory, context: Commands): Promise<StoreRules> {
  const [store, own] = await Promise.all([stores.byId(context.storeId), context.current(taxRules)]);
  return inForce(own)(store ? rulesAtFirst(store) : NO_RULES);
}

export const taxRuleDirectory = (stores: StoreDirectory): TaxRuleDirectory => ({
  has: async (context, id) => (await rulesOf(stores, context)).rules.some(({ rule }) => rule.id === id),
});
