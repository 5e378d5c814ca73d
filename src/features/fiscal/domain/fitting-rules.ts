import { memoise } from '../../../kernel/values/memoise.js';
import type { TaxRule } from './tax-rules.js';

interface Matched {
  readonly taxRuleId: string | null;
  readonly ncm: string | null;
  readonly ownProduction: boolean;
}

/**
 * Finds the most specific rule of goods: the one that the product names, else the longest prefix, else one that names own production, else the
 * lowest id. Rules are put in their places once, since a document asks for each of its items and the next one has the same rules.
 */
export const ruleFinder = memoise((rules: readonly TaxRule[]): ((goods: Matched) => TaxRule | undefined) => {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const byMatch = new Map<string, TaxRule>();
  for (const rule of rules) {
    const place = placeOf(rule.match.ncmPrefix, rule.match.ownProduction);
    const other = byMatch.get(place);
    if (!other || rule.id < other.id) byMatch.set(place, rule);
  }
  return ({ taxRuleId, ncm, ownProduction }) => {
    const named = taxRuleId === null ? undefined : byId.get(taxRuleId);
    if (named) return named;
    const code = ncm ?? '';
    for (let length = code.length; length >= 0; length--) {
      const prefix = code.slice(0, length);
      const fitting = byMatch.get(placeOf(prefix, ownProduction)) ?? byMatch.get(placeOf(prefix, null));
      if (fitting) return fitting;
    }
    return undefined;
  };
});

const placeOf = (ncmPrefix: string, ownProduction: boolean | null): string => `${String(ownProduction)} ${ncmPrefix}`;
