import { webhooks } from '../features/webhooks/decider.js';
import { newSecret, secretRow } from '../features/webhooks/secrets.js';
import type { Commands } from '../kernel/lanes/commands.js';
import { uuidV5 } from '../kernel/values/ids.js';

const SETTINGS = {
  url: 'https://contabilidade.example/webhooks/fiscal',
  description: 'Contabilidade (exemplo: troque o endereço antes de ligar)',
  // Nobody listens there: nothing leaves the machine before somebody says where to.
  active: false,
  events: null,
};

/** One place to which notifications could go. */
export async function fillWebhooks(commands: Commands): Promise<void> {
  const destinationId = uuidV5(commands.storeId, 'webhook destination');
  if ((await commands.current(webhooks)).destinations.has(destinationId)) return;
  const rows = [secretRow(destinationId, newSecret())];
  await commands.execute(webhooks, { type: 'add', destinationId, settings: SETTINGS }, { rows });
}
