import { CheckpointLost } from '../../../src/kernel/reactors/checkpoint.js';
import { ReactorRunner } from '../../../src/kernel/reactors/reactor-runner.js';
import { VaultLeases } from '../../../src/adapters/vault-leases.js';
import { NOTIFICATIONS } from '../../../src/features/fiscal/events.js';
import { webhookServices } from '../../../src/features/webhooks/services.js';
import type { Shop } from '../catalogue-orders/shop.js';
import { Dead } from '../fiscal-orders/schedule.js';
import { recordDocuments } from '../fiscal-events.js';
import type { ServiceProcess } from '../request-orders/service-process.js';

/** What happens to documents, who follows that, what is sent, and what is asked about it. */

const HAPPENING = [...Object.keys(NOTIFICATIONS), 'DocumentPrepared'];

export function documents(shop: Shop): void {
  const { world, draws, storeId } = shop;
  const { log, schedule } = world;
  const types = Array.from({ length: 1 + draws.under(3) }, () => draws.of(HAPPENING));
  const store: Parameters<typeof recordDocuments>[0] = {
    readStream: (stream, options) => Promise.resolve(log.read(stream, options)),
    append: (stream, revision, events) => log.append(stream, revision, events),
  };
  world.begin(world.any(), types.join(' and '), (process) => {
    const record = () => recordDocuments(store, storeId, types, process.services.clock.now());
    return schedule.act(process, 'documents happen', record);
  });
}

const following = new WeakSet<ServiceProcess>();

/** A process follows the log for as long as it pauses so often, or tries to. */
export function follow({ world, draws }: Shop, process = world.any(), pauses = 1 + draws.under(4)): void {
  if (following.has(process)) return;
  following.add(process);
  world.begin(process, 'to follow the log', async () => {
    await followed(process, pauses).finally(() => following.delete(process));
  });
}

function followed(process: ServiceProcess, pauses: number): Promise<void> {
  const { eventStore, vault, clock, holder } = process.services;
  const { schedule } = process.ground;
  let left = pauses;
  return new Promise((resolve, reject) => {
    const runner = new ReactorRunner(webhookServices(process.services).reactor, {
      eventStore,
      vault,
      leases: new VaultLeases(vault, clock),
      holder,
      clock,
      onError: (error) => {
        if (!(error instanceof CheckpointLost)) process.ground.logged(error);
      },
      pause: async (milliseconds) => {
        left -= 1;
        if (left < 0) runner.close().then(resolve, reject);
        else await schedule.wait(process, 'pauses', milliseconds).catch(() => undefined);
        if (!process.isDead) return;
        // What has died does not go on.
        reject(new Dead());
        await new Promise(() => undefined);
      },
    });
  });
}

/** A process looks for what is due, and does it. */
export function deliver({ world }: Shop, process = world.any()): void {
  world.begin(process, 'to deliver', async ({ services }) => {
    const { queue } = webhookServices(services);
    await queue.lookAround();
    await queue.idle();
  });
}

const destinationIds = ({ secrets }: Shop): readonly string[] => [...secrets.keys()];

export function switchDestination(shop: Shop): void {
  const { draws } = shop;
  const ids = destinationIds(shop);
  if (ids.length === 0) return;
  const events = [draws.of(Object.values(NOTIFICATIONS)), draws.of(Object.values(NOTIFICATIONS))];
  const body = draws.of<object>([{ active: false }, { active: true }, { active: true }, { events: null }, { events }]);
  shop.send({ method: 'patch', path: '/outbound-webhooks/{id}', params: { id: draws.of(ids) }, body });
}

export function test(shop: Shop): void {
  const ids = destinationIds(shop);
  if (ids.length === 0) return;
  shop.send({ method: 'post', path: '/outbound-webhooks/{id}/test', params: { id: shop.draws.of(ids) } });
}

export function retry(shop: Shop): void {
  const { world, draws } = shop;
  const ids = destinationIds(shop);
  if (ids.length === 0) return;
  const id = draws.of(ids);
  const path = '/outbound-webhooks/{id}/deliveries';
  world.begin(world.any(), 'to send again what failed', async (process) => {
    const failed = await shop.ask(process, { method: 'get', path, params: { id }, query: { status: 'FAILED' } });
    const all = (failed.body?.items ?? []) as readonly { readonly id: string }[];
    if (all.length === 0) return failed;
    const params = { id, deliveryId: draws.of(all).id };
    return shop.ask(process, { method: 'post', path: `${path}/{deliveryId}/retry`, params });
  });
}

export function passTime({ world, draws }: Shop): void {
  world.schedule.now += draws.of([1_000, 11_000, 21_000, 61_000, 301_000, 3_600_000]);
}
