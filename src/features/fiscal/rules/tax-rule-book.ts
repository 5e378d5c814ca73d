import type { Commands } from '../../../kernel/lanes/commands.js';
import { uuidV5 } from '../../../kernel/values/ids.js';
import type { TaxRuleDirectory } from '../../contracts/tax-rule-directory.js';
import type { StoreDirectory } from '../../contracts/feature.js';
import type { FiscalSettings } from '../../contracts/fiscal-settings.js';
import type { TaxRule } from '../domain/tax-rules.js';
import { defaultRules } from '../domain/tax-rules.js';
import type { RuleInForce } from './tax-rule-decider.js';
import { rulesInForce, taxRules } from './tax-rule-decider.js';

/** The rules with which a store begins, as its regime has them now. */
const rulesAtFirst = (storeId: string, { taxRegime, address }: FiscalSettings): readonly TaxRule[] =>
  defaultRules(
    { own: uuidV5(storeId, 'tax rule: own production'), bought: uuidV5(storeId, 'tax rule: bought') },
    taxRegime,
    address?.state,
  );

export async function rulesOf(
  stores: StoreDirectory,
  context: Commands,
): Promise<{ readonly defaults: readonly TaxRule[]; readonly rules: readonly RuleInForce[] }> {
  const [store, own] = await Promise.all([stores.byId(context.storeId), context.current(taxRules)]);
  const defaults = store ? rulesAtFirst(context.storeId, store.fiscal) : [];
  return { defaults, rules: rulesInForce(own, defaults) };
}

export const taxRuleDirectory = (stores: StoreDirectory): TaxRuleDirectory => ({
  has: async (context, id) => (await rulesOf(stores, context)).rules.some(({ rule }) => rule.id === id),
});
