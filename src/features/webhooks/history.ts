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
    pt: ({ destinationId }, say) =>
      `O segredo do destino de webhooks ${say.name('destination', destinationId)} foi trocado.`,
    en: ({ destinationId }, say) =>
      `The secret of the webhook destination ${say.name('destination', destinationId)} was replaced.`,
  },
  WebhookDestinationRemoved: {
    about,
    pt: ({ destinationId }, say) => `O destino de webhooks ${say.name('destination', destinationId)} foi excluído.`,
    en: ({ destinationId }, say) => `The webhook destination ${say.name('destination', destinationId)} was removed.`,
  },
};
