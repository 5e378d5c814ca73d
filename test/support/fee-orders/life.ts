import { cardFeesFeature } from '../../../src/features/card-fees/feature.js';
import type { Act } from '../catalogue-orders/shop-life.js';
import { ShopLife } from '../catalogue-orders/shop-life.js';
import { FEATURES, Shop } from '../catalogue-orders/shop.js';
import * as acts from './acts.js';
import { faultsIn } from './faults-in.js';

const ACTS: readonly Act[] = [
  acts.sell,
  acts.sell,
  acts.sell,
  acts.cancelSale,
  acts.replaceRates,
  acts.replaceRates,
  acts.replaceRatesOfBrand,
  acts.keepMachines,
  acts.keepMachines,
  acts.recalculate,
  acts.recalculate,
  acts.cancelJob,
  acts.adjust,
  acts.work,
  acts.work,
  acts.takeOver,
  acts.takeOver,
  (shop) => {
    shop.repeats.repeat();
  },
];

const DAY = 86_400_000;

export const feeLife = (seed: number): ShopLife =>
  new ShopLife(new Shop(seed, [...FEATURES, cardFeesFeature]), {
    acts: ACTS,
    mostWishes: 50,
    async begin(shop) {
      const { world } = shop;
      for (const asked of acts.FIRST) await world.done(shop.ask(world.any(), asked));
      await acts.sellSome(shop, world.draws.of([3, 10, 50]));
    },
    async faultsIn(shop) {
      const { world } = shop;
      // Into the next month, on whose first day the machine is chosen.
      if (world.draws.chance(0.5)) world.schedule.now += 14 * DAY;
      await world.comeToRest();
      return faultsIn(shop);
    },
  });
