import { customer } from '../../../src/features/customers/decider.js';
import type { Shop } from './shop.js';

/** What is done to customers, to what others are told, and to the store itself. */

export const DOCUMENTS = ['52998224725', '11144477735'];

export const customerIds = ({ world, storeId }: Shop): readonly string[] =>
  world.log
    .named('customer')
    .filter((name) => name.includes(storeId))
    .map((name) => name.slice(-36));

export const customerAt = ({ world, storeId }: Shop, id: string) => world.state(customer, `customer-${storeId}-${id}`);

export function keepCustomers(shop: Shop): void {
  const { draws } = shop;
  const ids = customerIds(shop);
  const id = ids.length === 0 ? undefined : draws.of(ids);
  const name = shop.newName('Pessoa');
  const body = { name, document: draws.chance(0.2) ? null : draws.of(DOCUMENTS) };
  if (id === undefined || draws.chance(0.4)) createCustomer(shop, body);
  else if (draws.chance(0.5)) changeCustomer(shop, id, body);
  else if (draws.chance(0.5)) eraseCustomer(shop, id);
  else lookAtCustomer(shop, id);
}

interface Body {
  readonly name: string;
  readonly document: string | null;
}

function createCustomer(shop: Shop, body: Body): void {
  shop.send({ method: 'post', path: '/customers', body });
}

function changeCustomer(shop: Shop, id: string, body: Body): void {
  const wasErased = shop.erased.has(id);
  shop.send({ method: 'patch', path: '/customers/{id}', params: { id }, body }, (told) => {
    if (wasErased && told.status < 300 && told.body.name !== null) shop.faults.push('an erased person is changed');
  });
}

function eraseCustomer(shop: Shop, id: string): void {
  shop.send({ method: 'post', path: '/customers/{id}/erase', params: { id } }, (told) => {
    if (told.status === 200) shop.erased.add(id);
  });
}

function lookAtCustomer(shop: Shop, id: string): void {
  const wasErased = shop.erased.has(id);
  shop.send({ method: 'get', path: '/customers/{id}', params: { id } }, (told) => {
    if (wasErased && told.status === 200 && told.body.name !== null) shop.faults.push('an erased person is shown');
  });
}

export function keepDestinations(shop: Shop): void {
  const { draws } = shop;
  const ids = [...shop.secrets.keys()];
  const id = ids.length === 0 ? undefined : draws.of(ids);
  const body = { url: `https://exemplo.com.br/${shop.newName('gancho').replace(' ', '-')}` };
  const hear = (told: {
    readonly status: number;
    readonly body: { readonly id: string; readonly secret?: string };
  }) => {
    if (told.status >= 300 || told.body.secret === undefined) return;
    const known = shop.secrets.get(told.body.id) ?? [];
    if (!known.includes(told.body.secret)) shop.secrets.set(told.body.id, [...known, told.body.secret]);
  };
  if (id === undefined || draws.chance(0.4)) shop.send({ method: 'post', path: '/outbound-webhooks', body }, hear);
  else if (draws.chance(0.5))
    shop.send({ method: 'post', path: '/outbound-webhooks/{id}/rotate-secret', params: { id } }, hear);
  else if (draws.chance(0.5)) shop.send({ method: 'patch', path: '/outbound-webhooks/{id}', params: { id }, body });
  else shop.send({ method: 'delete', path: '/outbound-webhooks/{id}', params: { id } });
}

export function keepStore(shop: Shop): void {
  const { draws } = shop;
  const id = draws.of(['1', '2']);
  const body = draws.of<object>([
    { tradeName: shop.newName('Aurora') },
    { requireTwoFactor: draws.chance(0.5) },
    { fiscal: { csc: { id, token: shop.newName('token') } } },
    { fiscal: { csc: { id, token: shop.newName('token') } } },
    { fiscal: { csc: { id } } },
    { fiscal: { csc: null } },
  ]);
  shop.send({ method: 'patch', path: '/store', body });
}
