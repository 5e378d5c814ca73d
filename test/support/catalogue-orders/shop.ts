import { createKey } from '../../../src/features/auth/access/api-keys.js';
import { authFeature } from '../../../src/features/auth/feature.js';
import { brandsFeature } from '../../../src/features/brands/feature.js';
import { categoriesFeature } from '../../../src/features/categories/feature.js';
import type { Feature } from '../../../src/features/contracts/feature.js';
import { customersFeature } from '../../../src/features/customers/feature.js';
import { settingsOf } from '../../../src/features/fiscal/office.js';
import { inventory } from '../../../src/features/inventory/decider.js';
import { inventoryFeature } from '../../../src/features/inventory/feature.js';
import { PERMISSIONS } from '../../../src/features/permissions.js';
import { product } from '../../../src/features/products/decider.js';
import type { Product } from '../../../src/features/products/domain/product.js';
import { productsFeature } from '../../../src/features/products/feature.js';
import { recipesFeature } from '../../../src/features/recipes/feature.js';
import { storesFeature } from '../../../src/features/stores/feature.js';
import { tagsFeature } from '../../../src/features/tags/feature.js';
import { webhooksFeature } from '../../../src/features/webhooks/feature.js';
import type { Asked, Told } from '../request-orders/asking.js';
import { ask } from '../request-orders/asking.js';
import type { Outside } from '../request-orders/ground.js';
import { Repeats } from '../request-orders/repeats.js';
import type { ServiceProcess } from '../request-orders/service-process.js';
import { World } from '../request-orders/world.js';

/** What the others ask of fiscal work, which is not tried here. */
const standIns: Feature = {
  name: 'stand-ins',
  events: [],
  routes: () => [],
  provides: (services) => ({
    fiscalSettings: settingsOf(services),
    taxRules: { has: () => Promise.resolve(true) },
    documents: { statusOf: () => Promise.resolve(undefined), keptOf: () => Promise.resolve([]) },
  }),
};

export const FEATURES: readonly Feature[] = [
  standIns,
  storesFeature,
  authFeature,
  categoriesFeature,
  brandsFeature,
  tagsFeature,
  productsFeature,
  inventoryFeature,
  recipesFeature,
  customersFeature,
  webhooksFeature,
];

const SLUGS = ['loja', 'outra'];

/** A store and another one, what is asked of them with keys that may do everything, and what was told. */
export class Shop {
  readonly world: World;
  readonly faults: string[] = [];
  readonly repeats: Repeats;
  /** The ids of customers of whom it was answered that nothing is left. */
  readonly erased = new Set<string>();
  /** The secrets of webhook destinations, in the order in which they were told. */
  readonly secrets = new Map<string, string[]>();
  /** The entity tags that were seen last, by the id of their record. */
  private readonly tags = new Map<string, string>();
  private readonly matched = new Set<string>();
  private readonly bearers: { readonly text: string; readonly slug: string }[] = [];
  private names = 0;
  storeId = '';

  constructor(seed: number, features = FEATURES, outsideOf?: (world: World) => Outside) {
    this.world = new World(seed, features, outsideOf);
    // Answers about people are made anew, so that none outlives their erasure; a repeat shows the secret of a destination that counts by now.
    const isKept = ({ body }: Told) => body?.erasedAt === undefined && body?.secret === undefined;
    this.repeats = new Repeats(this.world, this.faults, isKept);
  }

  get draws() {
    return this.world.draws;
  }

  async begin(): Promise<void> {
    const { world } = this;
    for (const slug of SLUGS) {
      const id = await world.newStore(slug);
      this.storeId ||= id;
      for (const name of ['Caixa', 'Balcao']) {
        const process = world.any();
        const key = { name, permissions: [...PERMISSIONS], expiresAt: null };
        const making = createKey(process.contextOf(id), process.services.vault, { ...key, by: 'commandLine' });
        const made = await world.done(making);
        this.bearers.push({ text: made.key, slug });
      }
    }
  }

  newName(of: string): string {
    this.names += 1;
    return `${of} ${String(this.names)}`;
  }

  /** As somebody of the store, or of the other one. */
  async ask(process: ServiceProcess, asked: Asked, who = 0): Promise<Told> {
    const bearer = this.bearers[who];
    const told = await ask(process, asked, { bearer: bearer?.text, storeSlug: bearer?.slug });
    const id = (told.body?.id ?? asked.params?.['id']) as string | undefined;
    if (who < 2 && told.etag !== undefined && id !== undefined) this.tags.set(id, told.etag);
    if (told.status === 412 && asked.ifMatch === undefined) this.faults.push('what has no condition does not meet it');
    const isMatched = asked.ifMatch !== undefined && told.status < 300 && this.world.hasRecorded(told);
    if (isMatched) this.onceMatched(`${asked.params?.['id'] ?? asked.path} ${asked.ifMatch ?? ''}`);
    return told;
  }

  private onceMatched(what: string): void {
    if (this.matched.has(what)) this.faults.push(`two changes of one state: ${what}`);
    this.matched.add(what);
  }

  /** Sends a request, sometimes with a key, and sometimes on the condition that nobody was faster. */
  send(asked: Asked, heard: (told: Told) => void = () => undefined): void {
    const { draws, world } = this;
    const tag = this.tags.get(asked.params?.['id'] ?? asked.path);
    const isConditional = asked.method !== 'post' && tag !== undefined && draws.chance(0.2);
    const whole = isConditional ? { ...asked, ifMatch: tag } : asked;
    const what = `${asked.method} ${asked.path} ${JSON.stringify([asked.params ?? {}, asked.body ?? {}, whole.ifMatch])}`;
    const run = async (process: ServiceProcess, key?: string) => {
      const told = await this.ask(process, { ...whole, key });
      heard(told);
      return told;
    };
    if (asked.method === 'get' || draws.chance(0.3)) world.begin(world.any(), what, run);
    else this.repeats.start(what, run);
  }

  /** The key that somebody else uses as well, or that was used for something else. */
  misuseKey(): void {
    const { draws, world } = this;
    const key = `key-${String(1 + draws.under(30))}`;
    const body = { name: this.newName('Rua') };
    const who = draws.under(this.bearers.length);
    world.begin(world.any(), `post /locations with ${key}`, async (process) => {
      const told = await this.ask(process, { method: 'post', path: '/locations', body, key }, who);
      const isOwn = told.body?.name === body.name;
      if (told.status === 201 && !isOwn) this.faults.push('a key gives an answer to another question');
      return told;
    });
  }

  // What there is, by the log alone.

  products(): readonly Product[] {
    const streams = this.world.log.named('product').filter((name) => name.includes(this.storeId));
    return streams.map((name) => this.world.state(product, name)).filter((state) => typeof state === 'object');
  }

  stock() {
    return this.world.state(inventory, `inventory-${this.storeId}`);
  }

  anyProduct(): Product | undefined {
    const all = this.products();
    return all.length === 0 ? undefined : this.draws.of(all);
  }

  anyVariantId(): string {
    const one = this.anyProduct();
    return one ? this.draws.of(one.variants).id : '';
  }
}
