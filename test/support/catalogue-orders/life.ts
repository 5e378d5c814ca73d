import { faultsIn } from './faults-in.js';
import * as goods from './goods-acts.js';
import * as people from './people-acts.js';
import { Shop } from './shop.js';
import type { Act } from './shop-life.js';
import { ShopLife } from './shop-life.js';

const ACTS: readonly Act[] = [
  goods.createProduct,
  goods.changeProduct,
  goods.changeProduct,
  goods.deleteProduct,
  goods.changeVariants,
  goods.changeVariants,
  goods.sort,
  goods.sort,
  goods.tagProduct,
  goods.keepPlaces,
  goods.moveGoods,
  people.keepCustomers,
  people.keepCustomers,
  people.keepDestinations,
  people.keepStore,
  (shop) => {
    shop.misuseKey();
  },
  (shop) => {
    shop.repeats.repeat();
  },
  (shop) => {
    shop.repeats.repeat();
  },
];

const FIRST_GOODS = [{ stockQty: 5 }, { variants: [{ label: 'P', stockQty: 5 }, { label: 'G' }] }];

export const catalogueLife = (seed: number): ShopLife =>
  new ShopLife(new Shop(seed), {
    acts: ACTS,
    mostWishes: 35,
    async begin(shop) {
      const { world } = shop;
      for (const more of FIRST_GOODS) await world.done(shop.ask(world.any(), goods.creation(shop, more)));
    },
    faultsIn,
  });
