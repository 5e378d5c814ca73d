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
    pt: ({ id }, say) =>
      `O documento que o cliente ${say.name('customer', id)} ainda não tinha confirmado passou a outro.`,
    en: ({ id }, say) =>
      `The document that the customer ${say.name('customer', id)} had not yet confirmed went to another.`,
  },
  CustomerErased: {
    about,
    pt: ({ id }, say) => `Os dados pessoais do cliente ${say.name('customer', id)} foram apagados para sempre.`,
    en: ({ id }, say) => `The personal data of the customer ${say.name('customer', id)} was erased for ever.`,
  },
};
