import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createStoreInput } from '../../src/operations/administration.js';
import { PROFILES } from '../../src/features/categories/profile-table.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A provider that answers as a test says. */
let provider: Server;
let answer: (
  request: { readonly body: string; readonly authorization: string | undefined },
  response: ServerResponse,
) => void;
let world: World;
let store: StoreClient;

const says = (content: unknown) => (_: unknown, response: ServerResponse) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ choices: [{ message: { content: text } }] }));
};

beforeAll(async () => {
  provider = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      answer({ body, authorization: request.headers.authorization }, response);
    });
  });
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
  const { port } = provider.address() as AddressInfo;
  world = await openWorld({
    env: { AI_BASE_URL: `http://127.0.0.1:${String(port)}/v1/`, AI_API_KEY: 'key-of-the-provider', AI_MODEL: 'small' },
  });
  await world.service.core.administration.createStore(
    createStoreInput.parse({ slug: 'padaria', name: 'Padaria', segment: 'BAKERY', activityCode: '4721102' }),
  );
  store = await world.newKey('padaria');
});
afterAll(async () => {
  await world.close();
  provider.closeAllConnections();
  await new Promise((done) => provider.close(done));
});
beforeEach(() => {
  answer = says({ items: [] });
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const suggest = async (body?: object, client = store): Promise<any> =>
  (await client.call('POST', '/categories/seed/suggest', body)).body;

describe('profiles', () => {
  test('are all there, with the one of the store’s activity', async () => {
    const { body } = await store.call('GET', '/categories/seed/profiles');
    expect(body.suggested).toBe('bakery');
    expect(body.profiles).toHaveLength(16);
    expect(body.profiles[0]).toEqual({ id: 'bakery', label: 'Padaria e Confeitaria' });
  });

  test('none is suggested to a store without activity', async () => {
    const plain = await world.newStore();
    expect((await plain.call('GET', '/categories/seed/profiles')).body.suggested).toBeNull();
  });

  test('hold only names and codes that can be applied', async () => {
    const fresh = await world.newStore();
    for (const { categories } of PROFILES) {
      const items = categories.map(([name, defaultNcm]) => ({ name, defaultNcm }));
      const { status, body } = await fresh.call('POST', '/categories/seed/apply', { items });
      expect(status).toBe(200);
      expect(Number(body.created) + Number(body.skipped)).toBe(items.length);
    }
  });
});

describe('a suggestion', () => {
  test('without AI is the catalogue of the profile', async () => {
    const body = await suggest({ profile: 'pet', useAi: false });
    expect(body).toMatchObject({
      profile: 'pet',
      profileLabel: 'Pet Shop e Agropecuária',
      aiUsed: false,
      aiError: null,
    });
    expect(body.items).toHaveLength(12);
  });

  test('follows the store’s activity when no profile is named', async () => {
    expect((await suggest({ useAi: false })).profile).toBe('bakery');
    expect((await suggest()).profile).toBe('bakery');
  });

  test('of a store without activity follows its description, or is general', async () => {
    const plain = await world.newStore();
    const of = async (body: object) =>
      (await plain.call('POST', '/categories/seed/suggest', body)).body.profile as string;
    expect(await of({ useAi: false, businessDescription: 'Açougue e CHURRASCO do bairro' })).toBe('butcher');
    expect(await of({ useAi: false })).toBe('general');
  });

  test('of the AI is checked: unfit names go, repeated ones count once, unfit codes become none', async () => {
    let asked: { body: string; authorization: string | undefined } | undefined;
    answer = (request, response) => {
      asked = request;
      says({
        items: [
          { name: ' Pães Rústicos ', defaultNcm: '19059090' },
          { name: 'PAES RUSTICOS', defaultNcm: '19059090' },
          { name: '', defaultNcm: '19059090' },
          { name: 'Focaccias', defaultNcm: '1905' },
          { name: 'x'.repeat(201) },
        ],
      })(request, response);
    };
    const body = await suggest({ businessDescription: 'Só fermentação natural' });
    expect(body).toMatchObject({ aiUsed: true, aiError: null });
    expect(body.items).toEqual([
      { name: 'Pães Rústicos', defaultNcm: '19059090' },
      { name: 'Focaccias', defaultNcm: null },
    ]);
    expect(asked?.authorization).toBe('Bearer key-of-the-provider');
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({ model: 'small' });
    expect(asked?.body).toContain('Só fermentação natural');
  });

  test.each<[string, typeof answer, RegExp]>([
    ['an error', (_, response) => void response.writeHead(500).end('secret trace'), /answered 500/],
    ['something else than JSON', says('certainly! here are'), /something else/],
    ['other JSON', says({ categories: ['Pães'] }), /something else/],
    ['nothing usable', says({ items: [{ name: '  ' }] }), /no usable category/],
    ['a cut connection', (_, response) => void response.destroy(), /cannot be reached/],
    ['far too much', says({ items: [{ name: 'x'.repeat(100_000) }] }), /too much/],
    [
      'a redirect',
      (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      /cannot be reached/,
    ],
  ])('falls back to the catalogue when the provider gives %s, and says why', async (_, given, reason) => {
    answer = given;
    const body = await suggest({ businessDescription: 'padaria' });
    expect(body).toMatchObject({ profile: 'bakery', aiUsed: false });
    expect(body.aiError).toMatch(reason);
    const spoken = { 'accept-language': 'pt-BR' };
    const told = await store.call('POST', '/categories/seed/suggest', { businessDescription: 'padaria' }, spoken);
    expect(told.body.aiError).toMatch(/provedor/);
    expect(body.items).toHaveLength(12);
  });

  test.each([[{ profile: 'spaceship' }], [{ businessDescription: 'x'.repeat(501) }], [{ useAi: 'yes' }]])(
    'refuses %j',
    async (body) => {
      expect((await store.call('POST', '/categories/seed/suggest', body)).status).toBe(400);
    },
  );

  test('asks the AI so many times in an hour for one store', async () => {
    let asked = 0;
    answer = (request, response) => {
      asked += 1;
      says({ items: [{ name: 'Pães' }] })(request, response);
    };
    const [eager, other] = [await world.newStore(), await world.newStore()];
    for (let time = 0; time < 30; time++)
      expect(await suggest({}, eager)).toMatchObject({ aiUsed: true, aiError: null });
    const refused = await suggest({}, eager);
    expect(refused).toMatchObject({ aiUsed: false, aiError: expect.stringContaining('too often') });
    expect(refused.items.length).toBeGreaterThan(0);
    expect(await suggest({}, other)).toMatchObject({ aiUsed: true });
    expect(asked).toBe(31);
  });

  test('takes a description of 500 characters', async () => {
    expect((await suggest({ useAi: false, businessDescription: 'x'.repeat(500) })).items).toHaveLength(12);
  });
});

describe('applying', () => {
  test('creates what is new and skips what is there, within the request as well', async () => {
    const fresh = await world.newStore();
    await fresh.call('POST', '/categories', { name: 'Pães' });
    const items = [{ name: 'PAES' }, { name: 'Bolos', defaultNcm: '19059090' }, { name: 'bolos' }];
    const { status, body } = await fresh.call('POST', '/categories/seed/apply', { items });
    expect([status, body]).toEqual([200, { created: 1, skipped: 2 }]);
    const { body: list } = await fresh.call('GET', '/categories');
    expect((list as { name: string }[]).map(({ name }) => name)).toEqual(['Bolos', 'Pães']);
  });

  test('takes at most 60 items', async () => {
    const items = Array.from({ length: 61 }, (_, index) => ({ name: `Item ${String(index)}` }));
    expect((await store.call('POST', '/categories/seed/apply', { items })).status).toBe(400);
    expect((await store.call('POST', '/categories/seed/apply', { items: items.slice(1) })).body.created).toBe(60);
  });
});
