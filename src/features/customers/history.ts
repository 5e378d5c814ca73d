import type { Histories } from '../../kernel/events/history.js';
import { entity } from '../../kernel/events/history.js';
import type { CustomerEvent } from './events.js';

const about = ({ id }: { readonly id: string }) => [entity('customer', id)];

export const customerHistory: Histories<CustomerEvent> = {
  CustomerRegistered: {
    about,
    pt: ({ id }, say) => `O cliente ${say.name('customer', id)} foi cadastrado.`,
    en: ({ id }, say) => `The customer ${say.name('customer', id)} was registered.`,
  },
  CustomerChanged: {
    about,
    pt: ({ id }, say) => `O cadastro do cliente ${say.name('customer', id)} foi alterado.`,
    en: ({ id }, say) => `The record of the customer ${say.name('customer', id)} was changed.`,
  },
  CustomerClaimDropped: {
    about,
    pt: () => 'O documento que o cliente ainda não tinha confirmado passou a outro.',
    en: () => 'The document that the customer had not yet confirmed went to another.',
  },
  CustomerErased: {
    about,
    pt: () => 'Os dados pessoais do cliente foram apagados para sempre.',
    en: () => "The customer's personal data was erased for ever.",
  },
};
