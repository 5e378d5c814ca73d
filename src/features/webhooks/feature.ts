import { foldedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import { settingsOf } from './answers.js';
import { deliveryRoutes } from './delivery-routes.js';
import { destinationRoutes } from './destination-routes.js';
import type { Webhooks } from './decider.js';
import { webhooks } from './decider.js';
import { webhookEvents } from './events.js';
import { notifications } from './notifications.js';
import { webhookServices } from './services.js';

function destinationRecord({ destinations }: Webhooks, id: string) {
  const destination = destinations.get(id);
  return destination && settingsOf(destination);
}

export const webhooksFeature: Feature = {
  name: 'webhooks',
  events: [webhookEvents],
  notifications,
  records: [foldedRecord('destination', webhooks, destinationRecord, { nameMember: 'url' })],
  viewing: { destination: 'fiscal.view' },
  routes(services) {
    const own = webhookServices(services);
    return [...destinationRoutes(own), ...deliveryRoutes(own)];
  },
  work(services) {
    const { reactor, sender } = webhookServices(services);
    return { webhooks: { reactors: [reactor], queues: [sender] } };
  },
};
