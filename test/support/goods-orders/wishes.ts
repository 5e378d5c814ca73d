import type { Things } from './drawn.js';
import { OtherWishes } from './other-wishes.js';
import type { Asked } from './process.js';
import { ProductionWishes } from './production-wishes.js';
import type { Shop } from './shop.js';
import { StockWishes } from './stock-wishes.js';

/** What somebody wants; `mark` stands in the fact that it comes to, and nowhere else. */
export interface Wish extends Omit<Asked, 'id' | 'key' | 'storeId' | 'isDry'> {
  /** The record was changed since the revision that it names. */
  readonly isStale?: boolean;
  readonly what: string;
  readonly mark?: string;
}

type Draw = () => Wish | undefined;

/** All that people may want, about what is there; what stands here twice is wanted more often. */
export function wishesOf(
  shop: Shop,
  things: Things,
): Readonly<Record<'stock' | 'production' | 'others' | 'questions', readonly Draw[]>> {
  const [stock, production, others] = [
    new StockWishes(shop, things),
    new ProductionWishes(shop, things),
    new OtherWishes(shop, things),
  ];
  const receive = () => stock.receive();
  const sell = () => stock.sell();
  const block = () => stock.block();
  const register = () => production.register();
  const work = () => production.workOnOrder();
  const reverse = () => production.reverse();
  return {
    stock: [
      receive,
      receive,
      sell,
      sell,
      block,
      block,
      () => stock.adjust(),
      () => stock.count(),
      () => stock.transfer(),
      () => stock.returnGoods(),
      () => stock.returnGoods(),
      () => stock.cancelSale(),
    ],
    production: [
      register,
      register,
      work,
      work,
      work,
      reverse,
      reverse,
      () => production.plan(),
      () => production.changeRecipe(),
      () => production.activate(),
    ],
    questions: [() => others.question()],
    others: [
      () => others.changeProduct(),
      () => others.changeVariants(),
      () => others.drill(),
      () => others.drill(),
      () => others.deleteProduct(),
      () => others.useSpare(),
      () => others.changeLocation(),
    ],
  };
}
