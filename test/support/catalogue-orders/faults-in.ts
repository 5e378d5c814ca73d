import { streamName } from '../../../src/kernel/events/decider.js';
import { foldText } from '../../../src/kernel/values/words.js';
import { webhooks } from '../../../src/features/webhooks/decider.js';
import { webhookServices } from '../../../src/features/webhooks/services.js';
import type { Product } from '../../../src/features/products/domain/product.js';
import { codesOfProduct, isKeptInStock } from '../../../src/features/products/domain/product.js';
import { STORES_STREAM, stores } from '../../../src/features/stores/decider.js';
import { kits } from '../../../src/features/products/kit-decider.js';
import { creation, GTINS, itemsOf, locationIds, NAMES, SET_PATHS, SKUS } from './goods-acts.js';
import { customerAt, customerIds, DOCUMENTS } from './people-acts.js';
import type { Shop } from './shop.js';

/** What must not be once everything has come to rest. */
export async function faultsIn(shop: Shop): Promise<readonly string[]> {
  const { world } = shop;
  const products = shop.products();
  return [
    ...faultsOfCodes(products),
    ...faultsOfStock(shop, products),
    ...faultsOfParts(shop, products),
    ...SET_PATHS.flatMap((path) => twice(itemsOf(shop, path).map(({ name }) => `${path} ${foldText(name)}`))),
    ...twice(descriptionsMade(shop)),
    ...(await faultsOfPeople(shop)),
    ...(await faultsOfDestinations(shop)),
    ...(await faultsOfSecurityCodes(shop)),
    ...world.errors.map((error) => `logged: ${stackOf(error)}`),
    ...(await whatCannotBeHad(shop)),
  ];
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 4).join(' | ') : String(error);

const twice = (texts: readonly string[]): string[] =>
  texts.flatMap((text, index) => (texts.indexOf(text) === index ? [] : [`there twice: ${text}`]));

const faultsOfCodes = (products: readonly Product[]): string[] =>
  twice(products.flatMap((one) => [...new Set(codesOfProduct(one))]));

/** What each request alone can have made, and what it moved. */
const descriptionsMade = ({ world }: Shop): readonly string[] =>
  world.log.events.flatMap(({ type, data }) => {
    const isOnce = ['ProductCreated', 'StockReceived', 'StockAdjusted'].includes(type);
    return isOnce ? (/(Produto|Nota|Motivo) \d+/.exec(data)?.[0] ?? []) : [];
  });

function faultsOfStock(shop: Shop, products: readonly Product[]): string[] {
  const { variants } = shop.stock();
  const places = new Set(locationIds(shop));
  const owners = new Map(products.flatMap((one) => one.variants.map(({ id }) => [id, one] as const)));
  return [...variants].flatMap(([variantId, { balances }]) => {
    const owner = owners.get(variantId);
    return [
      ...(owner ? [] : ['goods of a deleted product are in stock']),
      ...(owner && !isKeptInStock(owner.fields) ? ['goods of a kit or a service are in stock'] : []),
      ...balances.flatMap(({ locationId, quantity }) =>
        quantity.isZero || places.size === 0 || places.has(locationId) ? [] : ['goods lie where there is no place'],
      ),
    ];
  });
}

function faultsOfParts(shop: Shop, products: readonly Product[]): string[] {
  const { parts, keptOut } = shop.world.state(kits, streamName('kits', shop.storeId));
  const { retired, unkept } = shop.stock();
  const owners = new Map(products.flatMap((one) => one.variants.map(({ id }) => [id, one] as const)));
  const ofKits = [...parts].flatMap(([kitId, components]) => {
    if (!products.some(({ productId }) => productId === kitId)) return [];
    return components.flatMap(({ componentVariantId }) => {
      const part = owners.get(componentVariantId);
      if (!part) return ['a kit takes what is deleted'];
      return part.fields.productType === 'SERVICE' ? ['a kit takes a service'] : [];
    });
  });
  const ofProducts = products.flatMap(({ productId, fields, variants }) => [
    ...(fields.productType !== 'SERVICE' && keptOut.has(productId) ? ['goods are kept out of kits'] : []),
    ...(variants.some(({ id }) => retired.has(id)) ? ['what lives can never move'] : []),
    ...(isKeptInStock(fields) && variants.some(({ id }) => unkept.has(id)) ? ['goods are not kept in stock'] : []),
  ]);
  return [...ofKits, ...ofProducts];
}

/** Nobody stands anywhere in plain text, and who was erased nowhere at all. */
async function faultsOfPeople(shop: Shop): Promise<string[]> {
  const { world, storeId } = shop;
  const faults: string[] = [];
  for (const id of customerIds(shop)) {
    const { stage } = customerAt(shop, id);
    if (shop.erased.has(id) && stage !== 'erased') faults.push('an erasure was answered and is none');
    if (stage !== 'erased') continue;
    const told = await world.done(shop.ask(world.any(), { method: 'get', path: '/customers/{id}', params: { id } }));
    const key = await world.vault.get('customer-key', `${storeId}/${id}`);
    if (key) faults.push('the key of who was erased is left');
    if (!key && told.body?.name !== null) faults.push('who was erased is shown');
  }
  const rows = await Promise.all(
    ['idempotency', 'customer-document'].map((kind) => world.vault.list(kind, { limit: 10_000 })),
  );
  const texts = [...rows.flat().map(({ value }) => JSON.stringify(value)), ...world.log.events.map(({ data }) => data)];
  if (texts.some((text) => text.includes('Pessoa '))) faults.push('a person stands somewhere in plain text');
  return faults;
}

/** Every process signs with the secret that was told last, wherever nothing was lost. */
async function faultsOfDestinations(shop: Shop): Promise<string[]> {
  const { world, secrets, storeId } = shop;
  const { destinations } = world.state(webhooks, streamName(webhooks.category, storeId));
  const faults: string[] = destinations.size > 5 ? ['there are too many destinations'] : [];
  for (const destination of destinations.values()) {
    const used = world.processes.map(({ services }) => webhookServices(services).secrets.of(destination));
    const all = await world.done(Promise.all(used));
    const told = secrets.get(destination.destinationId) ?? [];
    if (new Set(all).size !== 1) faults.push('two processes sign with two secrets');
    if (world.isWhole && !told.includes(all[0] ?? '')) faults.push('what signs was told to nobody');
  }
  const rows = await world.vault.list('webhook-secret', { limit: 1_000 });
  const isLeft = rows.some(({ id }) => !destinations.has(id));
  if (!world.areServers && isLeft) faults.push('the secret of no destination is left');
  return faults;
}

/** The token that counts is there, and no other lies about. */
async function faultsOfSecurityCodes({ world, storeId }: Shop): Promise<string[]> {
  const { fiscal } = world.state(stores, STORES_STREAM).byId.get(storeId) ?? {};
  const rows = (await world.vault.list('fiscal-csc', { limit: 1_000 })).map(({ id }) => id);
  const named = typeof fiscal?.cscTokenId === 'string' ? [`${storeId}/${fiscal.cscTokenId}`] : [];
  const left = rows.filter((id) => !named.includes(id));
  return [
    ...named.filter((id) => !rows.includes(id)).map(() => 'the token that counts is gone'),
    ...(world.isWhole ? left : []).map((id) => `a token that was replaced is left: ${id}`),
  ];
}

/** Longer than codes and documents are held for who may still be at work. */
const GRACE = 10_000;

/** What nobody has can be had, whatever was refused or has died while it held it. */
async function whatCannotBeHad(shop: Shop): Promise<string[]> {
  const { world } = shop;
  const taken = new Set(shop.products().flatMap((one) => codesOfProduct(one)));
  world.schedule.now += GRACE;
  const wanted = [
    ...SKUS.filter((sku) => !taken.has(`sku-${sku}`)).map((sku) => creation(shop, { sku })),
    ...GTINS.filter((gtin) => !taken.has(`gtin-0${gtin}`)).map((gtin) => creation(shop, { gtin })),
    ...SET_PATHS.flatMap((path) => {
      const names = itemsOf(shop, path).map(({ name }) => foldText(name));
      const free = NAMES.slice(1).filter((name) => !names.includes(foldText(name)));
      return free.map((name) => ({ method: 'post', path, body: { name } }));
    }),
  ];
  const faults: string[] = [];
  for (const asked of wanted) {
    const told = await world.done(shop.ask(world.any(), asked));
    if (told.status !== 201) faults.push(`cannot be had: ${JSON.stringify(asked.body)} ${told.code ?? ''}`);
  }
  // Whose a document is, is sealed: each living customer gives theirs up, and then it is free.
  for (const id of customerIds(shop))
    if (customerAt(shop, id).stage === 'live')
      await world.done(shop.ask(world.any(), { method: 'post', path: '/customers/{id}/erase', params: { id } }));
  for (const document of DOCUMENTS) {
    const asked = { method: 'post', path: '/customers', body: { name: 'Livre', document } };
    const [first, second] = [
      await world.done(shop.ask(world.any(), asked)),
      await world.done(shop.ask(world.any(), asked)),
    ];
    if (first.status !== 201) faults.push(`a document of nobody cannot be had: ${first.code ?? ''}`);
    if (second.status !== 409) faults.push('a document has two owners');
  }
  return faults;
}
