import type { InventoryEvent } from '../../../src/features/inventory/events.js';
import { entriesOf } from '../../../src/features/inventory/events.js';
import { recipes } from '../../../src/features/recipes/decider.js';
import type { Shop } from './shop.js';

export const PRODUCTION = '/bakery-production';
const CODES = ['A', 'B', 'C'] as const;

/** What there is from the beginning, by its name. */
export interface Things {
  readonly variants: Readonly<Record<string, string>>;
  readonly products: Readonly<Record<string, string>>;
  readonly places: readonly string[];
  readonly customers: readonly string[];
}

type Fact<T extends InventoryEvent['type']> = Extract<InventoryEvent, { readonly type: T }>['data'];

/** What is there to be wanted, drawn. */
export abstract class Drawn {
  constructor(
    protected readonly shop: Shop,
    protected readonly things: Things,
  ) {}

  protected get draws() {
    return this.shop.draws;
  }

  protected mark(): string {
    this.shop.marks += 1;
    return `m${String(this.shop.marks)} of ${this.shop.storeId.slice(-2)}`;
  }

  protected facts<T extends InventoryEvent['type']>(type: T): readonly Fact<T>[] {
    return this.shop.facts.filter((event) => event.type === type).map(({ data }) => data as Fact<T>);
  }

  protected get lots() {
    return this.shop.facts.flatMap((event) => entriesOf(event));
  }

  protected goods(): { readonly name: string; readonly variantId: string } {
    const name = this.draws.of([
      'flour',
      'flour',
      'dough',
      'dough',
      'bread',
      'bread',
      'crumbs',
      'sugar',
      'other sugar',
    ]);
    return { name, variantId: this.things.variants[name] ?? '' };
  }

  protected place(): string {
    const [shop = '', cellar = '', fair = ''] = this.things.places;
    if (this.draws.chance(0.03)) return fair;
    return this.draws.chance(0.88) ? shop : cellar;
  }

  protected code(): string {
    const made = this.lots.flatMap(({ lotCode }) => lotCode ?? []);
    if (made.length > 0 && this.draws.chance(0.9)) return this.draws.of(made);
    return this.draws.of(CODES);
  }

  /** Of a lot of the variant, where there is one. */
  protected codeOf(variantId: string): { readonly lotCode?: string } {
    const codes = this.lots.flatMap((lot) =>
      lot.variantId === variantId && lot.lotCode !== null ? [lot.lotCode] : [],
    );
    return codes.length === 0 ? {} : { lotCode: this.draws.of(codes) };
  }

  protected quantity(): number {
    return this.draws.of([1, 1, 2, 2, 3, 0.5, 0.333333, 5]);
  }

  protected expires(): { readonly expiresAt?: string } {
    const { draws, shop } = this;
    if (draws.chance(0.75)) return {};
    return { expiresAt: new Date(shop.schedule.now + draws.of([2_000, 20_000, 86_400_000])).toISOString() };
  }

  /** A sale and what it sold. */
  protected sale() {
    const sold = this.facts('SaleCompleted');
    return sold.length === 0 ? undefined : this.draws.of(sold.slice(-5));
  }

  protected get recipeIds(): readonly string[] {
    return this.shop
      .eventsOf(recipes)
      .flatMap((event) => (event.type === 'RecipeCreated' ? [event.data.recipeId] : []));
  }

  protected order(): { readonly id: string; readonly number: number } | undefined {
    const made = [
      ...this.facts('OrderPlanned').map(({ orderId, number }) => ({ id: orderId, number })),
      ...this.facts('OrderCompleted')
        .filter(({ plan }) => plan !== null)
        .map(({ orderId, number }) => ({ id: orderId, number })),
    ];
    const open = made.filter(({ id }) => this.shop.state.openOrders.has(id));
    const among = open.length > 0 && this.draws.chance(0.7) ? open : made;
    return among.length === 0 ? undefined : this.draws.of(among.slice(-4));
  }
}
