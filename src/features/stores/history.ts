import type { Histories } from '../../kernel/events/history.js';
import { entity } from '../../kernel/events/history.js';
import type { StoreEvent } from './events.js';

const about = ({ id }: { readonly id: string }) => [entity('store', id)];

export const storeHistory: Histories<StoreEvent> = {
  StoreCreated: {
    about,
    pt: ({ tradeName, slug }) => `A loja ${tradeName} (${slug}) foi criada.`,
    en: ({ tradeName, slug }) => `The store ${tradeName} (${slug}) was created.`,
  },
  StoreChanged: {
    about,
    pt: ({ tradeName }) => `As configurações da loja ${tradeName} foram alteradas.`,
    en: ({ tradeName }) => `The settings of the store ${tradeName} were changed.`,
  },
  StoreFiscalSettingsChanged: {
    about,
    pt: () => 'As configurações fiscais da loja foram alteradas.',
    en: () => "The store's fiscal settings were changed.",
  },
  StorePlanChanged: {
    about,
    pt: ({ plan }) =>
      `O plano da loja passou a ser ${plan.name}${plan.apiAccess ? ', com acesso à API' : ', sem acesso à API'}.`,
    en: ({ plan }) =>
      `The store's plan became ${plan.name}${plan.apiAccess ? ', with API access' : ', without API access'}.`,
  },
};
