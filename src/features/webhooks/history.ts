import type { Histories } from '../../kernel/events/history.js';
import { entity } from '../../kernel/events/history.js';
import type { WebhookEvent } from './events.js';

const about = ({ destinationId }: { readonly destinationId: string }) => [entity('destination', destinationId)];

export const webhookHistory: Histories<WebhookEvent> = {
  WebhookDestinationAdded: {
    about,
    pt: ({ url }) => `O destino de webhooks ${url} foi cadastrado.`,
    en: ({ url }) => `The webhook destination ${url} was added.`,
  },
  WebhookDestinationChanged: {
    about,
    pt: ({ url, active }) => `O destino de webhooks ${url} foi alterado${active ? '' : ' e está inativo'}.`,
    en: ({ url, active }) => `The webhook destination ${url} was changed${active ? '' : ' and is inactive'}.`,
  },
  WebhookSecretRotated: {
    about,
    pt: () => 'O segredo do destino de webhooks foi trocado.',
    en: () => 'The secret of the webhook destination was replaced.',
  },
  WebhookDestinationRemoved: {
    about,
    pt: () => 'O destino de webhooks foi excluído.',
    en: () => 'The webhook destination was removed.',
  },
};
