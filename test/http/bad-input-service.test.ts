import { afterAll, describe, expect, test } from '@jest/globals';
import type { BadInput } from '../support/bad-input.js';
import { badInputs, sendBadInput, statusesOf } from '../support/bad-input.js';
import { openWorld } from '../support/world.js';

/** The corpus against the whole service: nothing that it refuses may leave a trace in the log. */

/** They speak of paths and bodies that other features answer for. */
const OTHER_PATHS = /^(?:GET|PATCH) \/(?!categories|brands)/;
const TAKES_LONG = 'slow body, 1 byte per 10 s';
/** Their bodies are right elsewhere, and here hold unknown fields. */
const RIGHT_ELSEWHERE = new Set(['CSV formula in description', '-0', 'loss 99.99', 'page beyond end']);
const SHELL_PATHS = new Set([
  'duplicate slug header',
  'Authorization twice',
  'method override',
  'OPTIONS unknown origin',
  'HEAD on GET',
  'range',
  '100 KB of headers',
  'X-Forwarded-For spoof',
  'HTTP/1.0 without Host',
  'slug with CRLF/space/upper',
  'key in query',
  'CL+TE smuggling',
  'Bearer and cookie together',
  'Turkish i',
  '0.1+0.2 sums',
  'NFC/NFD twins',
  'take 0/101/abc/1e1',
]);

const tried = Object.entries(badInputs).flatMap(([group, entries]) =>
  entries
    .filter(({ name, input }) => !OTHER_PATHS.test(input) && !SHELL_PATHS.has(name) && name !== TAKES_LONG)
    .filter(({ name }) => !RIGHT_ELSEWHERE.has(name))
    .map((entry) => [`${group}: ${entry.name}`, entry] as const),
);

/** Its body is over the limit before anything in it is seen. */
const ALSO_RIGHT: Readonly<Record<string, number>> = { '100,000 keys in one object': 413 };

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();
const target = {
  port: Number(new URL(world.url).port),
  bodyLimit: 1024 * 1024,
  credentials: [`Authorization: Bearer ${store.key}`, `X-Store-Slug: ${store.slug}`, 'Connection: close'],
  bodyPath: ({ name }: BadInput) => (name.startsWith('array of 201') ? '/categories/bulk-delete' : '/categories'),
};

const head = () => world.service.core.engines.eventStore.head();

describe('bad input', () => {
  test('is tried for most of the corpus', () => {
    expect(tried.length).toBeGreaterThan(60);
  });

  test.each(tried)('%s', async (_, entry) => {
    const before = await head();
    const answer = await sendBadInput(entry, target);
    const allowed = [...statusesOf(entry), ...(entry.name in ALSO_RIGHT ? [ALSO_RIGHT[entry.name]] : [])];
    expect(answer.status).toBeLessThan(500);
    if (allowed.length > 0) expect(allowed).toContain(answer.status);
    if (answer.status >= 400) {
      expect(answer.headers['content-type']).toBe('application/problem+json');
      expect(answer.body).not.toMatch(/\bat .*\.js|node_modules|Error:/);
      expect(await head()).toBe(before);
    }
  });

  test('changed the prototype of nothing', () => {
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  test('that is text like any other is kept as it is', async () => {
    const { body } = await store.call('GET', '/categories');
    const names = (body as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["'; DROP TABLE events;--", '{{7*7}}${7*7}', '👨‍👩‍👧‍👦']));
  });
});
