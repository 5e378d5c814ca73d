import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { idsOf, isUuid, newId, newSeed, timeOfId, uuidV5 } from '../../../src/kernel/values/ids.js';

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
const URL_NAMESPACE = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';
const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const times = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const seeds = fc.record({
  at: times,
  entropy: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex')),
});

test('a new id carries its time, version 7 and the RFC variant', () => {
  fc.assert(
    fc.property(times, (at) => {
      const id = newId(at);
      expect(id).toMatch(V7);
      expect(isUuid(id)).toBe(true);
      expect(timeOfId(id)).toBe(at);
    }),
  );
});

test('ids sort by time', () => {
  fc.assert(
    fc.property(times, times, (a, b) => {
      fc.pre(a < b);
      expect(newId(a) < newId(b)).toBe(true);
    }),
  );
});

test('ids of the same moment differ', () => {
  const ids = Array.from({ length: 10_000 }, () => newId(1_700_000_000_000));
  expect(new Set(ids).size).toBe(ids.length);
});

test('every bit beside time, version and variant is random', () => {
  const seen = Array.from({ length: 32 }, () => new Set<string>());
  for (let round = 0; round < 2000; round++) {
    const digits = newId(0).replaceAll('-', '');
    seen.forEach((values, index) => values.add(digits[index] ?? ''));
  }
  const fixed = '1'.repeat(12);
  expect(seen.map((values) => values.size.toString(17)).join('')).toBe(`${fixed}1ggg4${'g'.repeat(15)}`);
});

test('the same seed gives the same ids in the same order, and none twice', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1, max: 50 }), (seed, count) => {
      const draw = () => {
        const next = idsOf(seed);
        return Array.from({ length: count }, next);
      };
      const ids = draw();
      expect(draw()).toEqual(ids);
      expect(new Set(ids).size).toBe(count);
      for (const id of ids) expect(id).toMatch(V7);
    }),
  );
});

test('ids of records of one command ascend', () => {
  const ids = Array.from({ length: 1000 }, () => newSeed(5)).map((seed) => {
    const next = idsOf(seed);
    return [next(), next(), next()];
  });
  for (const made of ids) expect([...made].sort()).toEqual(made);
});

test('seeds of the same moment give other ids', () => {
  const firsts = Array.from({ length: 1000 }, () => idsOf(newSeed(5))());
  expect(new Set(firsts).size).toBe(firsts.length);
  expect(newSeed(5).at).toBe(5);
});

test.each([
  [DNS, 'www.example.com', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
  [DNS, 'python.org', '886313e1-3b8a-5372-9b90-0c9aee199e5d'],
  [URL_NAMESPACE, 'http://www.example.com/', 'fcde3c85-2270-590f-9e7c-ee003d65e0e2'],
])('version 5 in %s of %s', (namespace, name, id) => {
  expect(uuidV5(namespace, name)).toBe(id);
  expect(uuidV5(namespace.toUpperCase(), name)).toBe(id);
  expect(isUuid(id)).toBe(true);
});

test('a name that is not ASCII counts as UTF-8', () => {
  expect(uuidV5(DNS, 'pão')).not.toBe(uuidV5(DNS, 'pao'));
  expect(uuidV5(DNS, 'pão')).toBe(uuidV5(DNS, 'p\u00e3o'));
});

test.each([
  '',
  'x',
  '00000000-0000-0000-0000-000000000000',
  '018f2f6e-0000-9000-8000-000000000000',
  '018f2f6e-0000-7000-c000-000000000000',
  '018f2f6e00007000800000000000000',
  '{018f2f6e-0000-7000-8000-000000000000}',
  '018f2f6e-0000-7000-8000-000000000000\n',
  '018f2f6e-0000-7000-8000-00000000000g',
])('%j is no UUID', (text) => {
  expect(isUuid(text)).toBe(false);
});

test('a UUID in capitals is one', () => {
  expect(isUuid('018F2F6E-0000-7000-8000-ABCDEFABCDEF')).toBe(true);
});
