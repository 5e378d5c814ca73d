import type { Histories } from '../../../kernel/events/history.js';
import { entity } from '../../../kernel/events/history.js';
import type { TaxRuleEvent } from './events.js';

export const taxRuleHistory: Histories<TaxRuleEvent> = {
  TaxRuleCreated: {
    about: ({ rule }) => [entity('taxRule', rule.id)],
    pt: ({ rule }) => `A regra fiscal ${rule.name} foi criada.`,
    en: ({ rule }) => `The tax rule ${rule.name} was created.`,
  },
  TaxRuleChanged: {
    about: ({ rule }) => [entity('taxRule', rule.id)],
    pt: ({ rule }) => `A regra fiscal ${rule.name} foi alterada.`,
    en: ({ rule }) => `The tax rule ${rule.name} was changed.`,
  },
  TaxRuleDeleted: {
    about: ({ id }) => [entity('taxRule', id)],
    pt: () => 'A regra fiscal foi excluída.',
    en: () => 'The tax rule was deleted.',
  },
};
