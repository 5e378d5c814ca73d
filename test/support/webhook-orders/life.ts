import type { Act } from '../catalogue-orders/shop-life.js';
import { ShopLife } from '../catalogue-orders/shop-life.js';
import * as people from '../catalogue-orders/people-acts.js';
import { FEATURES, Shop } from '../catalogue-orders/shop.js';
import * as acts from './acts.js';
import { faultsIn } from './faults-in.js';
import { Receivers } from './receivers.js';

const ACTS: readonly Act[] = [
  acts.documents,
  acts.documents,
  acts.documents,
  acts.follow,
  acts.follow,
  acts.follow,
  acts.deliver,
  acts.deliver,
  acts.deliver,
  people.keepDestinations,
  people.keepDestinations,
  acts.switchDestination,
  acts.switchDestination,
  acts.test,
  acts.retry,
  acts.passTime,
  acts.passTime,
  (shop) => {
    shop.repeats.repeat();
  },
];

export function webhookLife(seed: number): ShopLife {
  let receivers: Receivers | undefined;
  const shop = new Shop(seed, FEATURES, (world) => (receivers = new Receivers(world)));
  return new ShopLife(shop, {
    acts: ACTS,
    mostWishes: 50,
    async begin({ world }) {
      people.keepDestinations(shop);
      await world.settle();
    },
    async faultsIn() {
      if (!receivers) return ['nobody is told'];
      await comeToTheEnd(shop, receivers);
      return faultsIn(shop, receivers);
    },
  });
}

/** So far a clock may be ahead of another. */
const SKEW = 2 * 3_600_000;

/** Until nothing is tried again any more. */
async function comeToTheEnd(shop: Shop, { retryDelays }: Receivers): Promise<void> {
  const { world } = shop;
  for (let rounds = 0; rounds < retryDelays.length + 4; rounds++) {
    world.schedule.now += Math.max(...retryDelays) + SKEW;
    for (const process of world.processes) acts.follow(shop, process, 8);
    await world.settle();
    for (const process of world.processes) acts.deliver(shop, process);
    await world.settle();
  }
}
