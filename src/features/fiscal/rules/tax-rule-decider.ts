import { Map as ImmutableMap } from 'immutable';
import type { Decider, StreamType } from '../../../kernel/events/decider.js';
import type { IfMatch } from '../../../kernel/events/if-match.js';
import { matches } from '../../../kernel/events/if-match.js';
import { NOT_FOUND, Rejection, STALE } from '../../../kernel/events/rejection.js';
import { difference } from '../../../kernel/values/difference.js';
import type { TaxRule } from '../domain/tax-rules.js';
import type { TaxRuleEvent } from './events.js';
import { taxRuleEvents } from './events.js';

export interface RuleInForce {
  readonly rule: TaxRule;
  /** Its entity tag: 0 of a rule that nobody changed yet. */
  readonly revision: number;
}

/** Null of one that was deleted. */
export type TaxRules = ImmutableMap<string, RuleInForce | null>;

type TaxRuleCommand =
  | { readonly type: 'create'; readonly rule: TaxRule }
  /** `defaults` are the rules that the store began with, as they are today. */
  | {
      readonly type: 'change';
      readonly id: string;
      readonly changes: Partial<Omit<TaxRule, 'id'>>;
      readonly defaults: readonly TaxRule[];
      readonly ifMatch: IfMatch;
    }
  | {
      readonly type: 'delete';
      readonly id: string;
      readonly defaults: readonly TaxRule[];
      readonly ifMatch: IfMatch;
    };

/** All rules of a store: its own, and those of the beginning that were neither changed nor deleted. */
export function rulesInForce(own: TaxRules, defaults: readonly TaxRule[]): readonly RuleInForce[] {
  const untouched = defaults.filter(({ id }) => !own.has(id)).map((rule) => ({ rule, revision: 0 }));
  return [...untouched, ...[...own.values()].flatMap((rule) => rule ?? [])];
}

function expectRule(own: TaxRules, command: Extract<TaxRuleCommand, { type: 'change' | 'delete' }>): TaxRule {
  const found = rulesInForce(own, command.defaults).find(({ rule }) => rule.id === command.id);
  if (!found) throw new Rejection(NOT_FOUND);
  if (!matches(command.ifMatch, found.revision)) throw new Rejection(STALE);
  return found.rule;
}

/** What a rule does not say was absent in earlier ones, which nothing could be told of. */
const complete = (rule: TaxRule): TaxRule => ({
  ...rule,
  benefitCode: rule.benefitCode ?? null,
  withheldIcms: rule.withheldIcms ?? null,
  ipi: rule.ipi ?? null,
  approximateTaxes: rule.approximateTaxes ?? null,
});

const decider: Decider<TaxRules, TaxRuleCommand, TaxRuleEvent> = {
  initial: ImmutableMap(),
  evolve(own, event, { revision }) {
    if (event.type === 'TaxRuleDeleted') return own.set(event.data.id, null);
    const { rule } = event.data;
    return own.set(rule.id, { rule, revision: revision + 1 });
  },
  decide(own, command) {
    switch (command.type) {
      case 'create':
        return own.has(command.rule.id) ? [] : [{ type: 'TaxRuleCreated', data: { rule: command.rule } }];
      case 'change': {
        const before = complete(expectRule(own, command));
        const rule = { ...before, ...command.changes };
        const differs = difference(before, rule);
        return differs ? [{ type: 'TaxRuleChanged', data: { rule, was: differs.was } }] : [];
      }
      case 'delete':
        expectRule(own, command);
        return [{ type: 'TaxRuleDeleted', data: { id: command.id } }];
    }
  },
};

export const taxRules: StreamType<TaxRules, TaxRuleCommand, TaxRuleEvent> = {
  category: 'tax-rules',
  decider,
  events: taxRuleEvents,
  weigh: (own) => own.size,
};
