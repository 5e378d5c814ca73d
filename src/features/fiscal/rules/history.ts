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
    pt: ({ id }, say) => `A regra fiscal ${say.name('taxRule', id)} foi excluída.`,
    en: ({ id }, say) => `The tax rule ${say.name('taxRule', id)} was deleted.`,
  },
};
