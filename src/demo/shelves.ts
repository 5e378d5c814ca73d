import { BAKED } from './baked.js';
import { RECIPES } from './formulas.js';
import { RESOLD } from './resold.js';
import type { DemoProduct, DemoShelf } from './rows.js';
import { SHELVES } from './catalogue.js';

/** What the bakery puts on its shelves: one of it, and how long it keeps. */
export interface Ware {
  readonly sku: string;
  readonly description: string;
  readonly unit: string;
  readonly cost: number;
  readonly price: number;
  readonly keepsDays: number;
  readonly parts: readonly (readonly [sku: string, quantity: number])[];
}

const wareOf = (
  [sku, description, unit, cost, price, details = {}]: DemoProduct,
  { keepsDays }: DemoShelf,
): readonly Ware[] =>
  cost === null || details.inactive === true || details.sizes || details.service
    ? []
    : [{ sku, description, unit, cost, price, keepsDays, parts: details.parts ?? [] }];

const waresOn = (shelves: readonly DemoShelf[]): readonly Ware[] =>
  shelves.flatMap((shelf) => shelf.products.flatMap((product) => wareOf(product, shelf)));

const BAKED_WARES = waresOn(BAKED);
/** Made by orders, what sells best first. */
export const MADE_WARES = RECIPES.flatMap((recipe) => BAKED_WARES.filter(({ sku }) => sku === recipe.sku));
/** What others bake for the bakery. */
export const BOUGHT_WARES = BAKED_WARES.filter((ware) => !MADE_WARES.includes(ware));
export const RESOLD_WARES = waresOn(RESOLD);

const WARES = waresOn(SHELVES);
export const KITS = WARES.filter(({ parts }) => parts.length > 0);
export const PRICES: ReadonlyMap<string, number> = new Map(WARES.map(({ sku, price }) => [sku, price]));
