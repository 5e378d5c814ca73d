import { readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { TOLD } from '../../projections/audit/parts/histories.js';
import { features } from '../../src/features/index.js';
import type { Browser } from '../support/browser.js';
import { EventStream } from '../support/event-stream.js';
import { expectOk, joinStore, newPerson, signedIn } from '../support/people.js';
import { EXAMPLES } from '../support/route-examples.js';
import { until } from '../support/until.js';
import type { StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** So many milliseconds go by between two messages of what changes. */
const PAUSE = 200;
const open: EventStream[] = [];

const world = await openWorld({ env: { STALL_TIMEOUT: '1s' } });
afterAll(() => world.close());
const store = await world.newStore();
afterEach(() => {
  for (const stream of open.splice(0)) stream.leave();
});

async function watching(credential: Readonly<Record<string, string>>, lastEventId?: string): Promise<EventStream> {
  const headers = lastEventId === undefined ? credential : { ...credential, 'last-event-id': lastEventId };
  const stream = await EventStream.open(`${world.url}/live`, headers);
  open.push(stream);
  return stream;
}

const keyOf = ({ key, slug }: StoreClient) => ({ authorization: `Bearer ${key}`, 'x-store-slug': slug });
const watch = (client: StoreClient, lastEventId?: string) => watching(keyOf(client), lastEventId);
const cookiesOf = (browser: Browser) => ({ cookie: `sm_access=${browser.cookie('sm_access') ?? ''}` });

let names = 0;
const newCategory = (client = store) => expectOk(client.call('POST', '/categories', { name: `C${String(++names)}` }));
async function newSale(client = store): Promise<void> {
  const example = await EXAMPLES['POST /sales']?.(`venda ${String(++names)}`, client);
  await expectOk(client.call('POST', '/sales', example?.body));
}

describe('the changes of a store', () => {
  test('are told as they happen, each message with the position from which it can be seen', async () => {
    const stream = await watch(store);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await newCategory();
    await until('the change is told', () => stream.messages.length === 1);
    const [{ id, data }] = stream.messages as [EventStream['messages'][number]];
    expect(data).toEqual({ collections: ['category'], position: id });
    const seen = await store.call('GET', '/categories', undefined, { 'x-min-position': data.position ?? '' });
    expect(seen.body).toContainEqual(expect.objectContaining({ name: `C${String(names)}` }));
  });

  test('are told to those who may view them', async () => {
    const cashier = await watch(await world.newKey(store.slug, 'sales.view'));
    const cook = await watch(await world.newKey(store.slug, 'stock.view,products.view'));
    const all = await watch(store);
    await newSale();
    await until('everything is told', () =>
      ['sale', 'product', 'customer', 'location'].every((one) => all.kinds.includes(one)),
    );
    await until('the sale is told', () => cashier.kinds.includes('sale'));
    await until('the product is told', () => cook.kinds.includes('product'));
    expect(cashier.kinds).toEqual(['sale']);
    expect(cook.kinds).toEqual(['location', 'product', 'variant']);
  });

  test('are told also where they are of no record by itself', async () => {
    const quiet = await world.newStore();
    const machine = await quiet.call('POST', '/card-fees/accounts', { name: 'Balcão' });
    const { id: accountId } = machine.body as { readonly id: string };
    const adjusting = { enabled: true, tiers: [{ accountId, minGross: 0 }] };
    await expectOk(quiet.call('PUT', '/card-fees/auto-adjust', adjusting));
    const changes = [
      ['PUT', '/card-fees', { settings: { maxInstallments: 6 } }, 'cardAccount'],
      ['PUT', '/card-fees/auto-adjust', { enabled: false, tiers: [] }, 'cardAccount'],
      ['PATCH', '/store', { fiscal: { nextNumbers: { '65': 77 } } }, 'store'],
    ] as const;
    for (const [method, path, body, kind] of changes) {
      const stream = await watch(quiet);
      await expectOk(quiet.call(method, path, body));
      await until(`${method} ${path} is told`, () => stream.kinds.includes(kind));
    }
  });

  test('stay in their store', async () => {
    const other = await world.newStore();
    const stream = await watch(other);
    await newCategory();
    await newCategory(other);
    await until('its own change is told', () => stream.messages.length > 0);
    expect(stream.messages).toHaveLength(1);
  });

  test('of a busy moment come together', async () => {
    const stream = await watch(store);
    const began = performance.now();
    await Promise.all(Array.from({ length: 100 }, () => newCategory()));
    const { 'x-position': last } = Object.fromEntries(
      (await store.call('POST', '/brands', { name: `M${String(++names)}` })).headers,
    );
    await until('the last is told', () => stream.lastId === last);
    // One at once, and another after each pause: a busy machine takes its time for so many.
    const most = 1 + Math.ceil((performance.now() - began) / PAUSE);
    expect(stream.messages.length).toBeLessThanOrEqual(most);
  });
});

describe('who comes back', () => {
  test('hears in one message what changed meanwhile', async () => {
    const first = await watch(store);
    await newCategory();
    await until('the change is told', () => first.messages.length === 1);
    first.leave();
    await newSale();
    await newCategory();
    const again = await watch(store, first.lastId);
    await until('what was missed is told', () => again.messages.length === 1);
    expect(again.kinds).toEqual(['category', 'customer', 'location', 'product', 'sale', 'variant']);
    const third = await watch(store, again.lastId);
    await newCategory();
    await until('only what is new is told', () => third.messages.length === 1);
    expect(third.kinds).toEqual(['category']);
  });

  test('is told to begin anew where that is not known any more', async () => {
    const quiet = await world.newStore();
    const { headers } = await quiet.call('POST', '/brands', { name: 'M' });
    await newCategory(quiet);
    for (const unknown of [headers.get('x-position') ?? '', 'x', 'A'.repeat(300)]) {
      const stream = await watch(quiet, unknown);
      await until('it is told', () => stream.messages.length === 1);
      expect(stream.messages[0]?.data).toEqual({ reset: true });
      expect(await watch(quiet, stream.lastId)).toMatchObject({ messages: [] });
    }
  });
});

describe('a connection ends', () => {
  const endsSoon = async (stream: EventStream) => {
    await until('it ends', () => stream.ended);
  };

  test('with the revocation of its key, and its own alone', async () => {
    const made = await store.call('POST', '/api-keys', { name: 'efêmera' });
    const { id, key } = made.body as { readonly id: string; readonly key: string };
    const stream = await watch({ ...store, key });
    const stays = await watch(store);
    await expectOk(store.call('DELETE', `/api-keys/${id}`));
    await endsSoon(stream);
    await newCategory();
    await until('the other hears on', () => stays.kinds.includes('category'));
  });

  test('with its session, signed out here or from elsewhere', async () => {
    const ana = await newPerson(world, store);
    const [here, elsewhere] = [await signedIn(world, ana), await signedIn(world, ana)];
    const streams = [await watching(cookiesOf(here)), await watching(cookiesOf(elsewhere))] as const;
    await expectOk(here.post('/auth/logout'));
    await endsSoon(streams[0]);
    expect(streams[1].ended).toBe(false);
    await expectOk((await signedIn(world, ana)).call('DELETE', '/auth/sessions'));
    await endsSoon(streams[1]);
  });

  test('with a switch of store, and with the membership', async () => {
    const other = await world.newStore();
    const [ana, bia] = [await newPerson(world, store), await newPerson(world, store, 'CASHIER')];
    await joinStore(world, ana, other);
    const browser = await signedIn(world, ana);
    const switching = await watching(cookiesOf(browser));
    await expectOk(browser.post('/auth/switch-store', { storeSlug: other.slug }));
    await endsSoon(switching);
    const member = await watching(cookiesOf(await signedIn(world, bia)));
    await expectOk(store.call('DELETE', `/users/${bia.userId}`));
    await endsSoon(member);
  });

  test('of permissions that change follows them', async () => {
    const bia = await newPerson(world, store, 'CASHIER');
    const stream = await watching(cookiesOf(await signedIn(world, bia)));
    const permit = (permission: string) =>
      expectOk(store.call('PATCH', `/users/${bia.userId}`, { permissions: [permission] }));
    // What comes before the change of permissions has reached the connection is told by the old ones.
    const { userId: otherId } = await newPerson(world, store);
    let turn = 0;
    const userIsTold = async () => {
      const before = stream.messages.length;
      await until('a user is told', async () => {
        const permissions = turn++ % 2 === 0 ? ['users.manage'] : ['sales.view'];
        await expectOk(store.call('PATCH', `/users/${otherId}`, { permissions }));
        return stream.messages.slice(before).some(({ data }) => data.collections?.includes('user'));
      });
    };
    await permit('users.manage');
    await userIsTold();
    const since = stream.messages.length;
    await newCategory();
    await userIsTold();
    expect(stream.messages.slice(since).flatMap(({ data }) => data.collections)).not.toContain('category');
    await permit('products.view');
    await until('what may be viewed now is told', async () => {
      await newCategory();
      return stream.kinds.includes('category');
    });
  });

  test('at once when the service stops', async () => {
    const brief = await openWorld();
    const mine = await brief.newStore();
    const stream = await EventStream.open(`${brief.url}/live`, keyOf(mine));
    const began = Date.now();
    const closed = brief.close();
    await until('it ends', () => stream.ended);
    // A stop cuts off after so long what still runs.
    expect(Date.now() - began).toBeLessThan(10_000);
    await closed;
  });
});

test('a watcher that reads nothing stays, and costs no memory for what it misses', async () => {
  const { hostname, port } = new URL(world.url);
  const { authorization, 'x-store-slug': slug } = keyOf(store);
  const head = [`GET /live HTTP/1.1`, `Host: ${hostname}`, `Authorization: ${authorization}`, `X-Store-Slug: ${slug}`];
  const socket = connect(Number(port), hostname);
  const closed = new Promise<boolean>((resolve) =>
    socket.once('close', () => {
      resolve(true);
    }),
  );
  await new Promise<void>((resolve) =>
    socket.write(`${head.join('\r\n')}\r\n\r\n`, () => {
      resolve();
    }),
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  const other = await watch(store);
  // Longer than who takes nothing of another answer is waited for.
  const began = Date.now();
  while (Date.now() - began < 1_500 || other.messages.length <= 2) await newCategory();
  expect(socket.destroyed).toBe(false);
  let text = '';
  socket.on('data', (piece: Buffer) => (text += piece.toString()));
  socket.resume();
  await until('it hears what it missed', () => text.includes(other.lastId));
  socket.destroy();
  expect(await closed).toBe(true);
});

test('asking for the head alone ends, and a query is refused', async () => {
  const head = await fetch(`${world.url}/live`, { method: 'HEAD', headers: keyOf(store) });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await store.call('GET', '/live?x=1')).status).toBe(400);
  expect((await fetch(`${world.url}/live`)).status).toBe(401);
});

test('every kind of record that an event is about says who may view it', () => {
  const viewing = new Set(features.flatMap((feature) => Object.keys(feature.viewing ?? {})));
  const samples = readdirSync('test/fixtures/events').map((file) => {
    const [type = '', version = ''] = file.split('.');
    return {
      type,
      version: Number(version.slice(1)),
      data: JSON.parse(readFileSync(`test/fixtures/events/${file}`, 'utf8')) as unknown,
    };
  });
  const kinds = samples.flatMap(({ type, version, data }) =>
    TOLD.flatMap(({ codec, histories }) => histories.get(type)?.about(codec.decode(type, version, data).data) ?? []),
  );
  expect([...new Set(kinds.map(({ kind }) => kind))].filter((kind) => !viewing.has(kind))).toEqual([]);
});
