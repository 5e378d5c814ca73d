import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { wordsOf } from '../../src/kernel/values/words.js';
import { checkpoint, position, product, products } from '../contract/read-model-samples.js';
import type { OpenReadModels } from '../contract/read-models.js';
import { freshEmbeddedReads } from '../support/embedded-reads.js';

let models: OpenReadModels;
let at = 0;

beforeAll(async () => {
  models = await freshEmbeddedReads([products]);
});

afterAll(() => models.close());

const WORDS = ['pão', 'Pao', 'pastel', 'queijo', 'que', 'açúcar', 'b', 'bolo', 'BOLA'];
const SEARCHES = ['p', 'pa', 'pao', 'q', 'que', 'quei', 'a', 'b', 'bol', 'bola', 'p q', 'b bolo pao'];

/** The text of a product from then on, or null when it is deleted. */
const changes = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  text: fc.option(fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(' '))),
});

const histories = fc.array(fc.array(changes, { maxLength: 8 }), { maxLength: 8 });

const matches = (text: string, words: string): boolean =>
  wordsOf(words).every((word) => wordsOf(text).some((other) => other.startsWith(word)));

async function write(store: string, batch: readonly { readonly id: string; readonly text: string | null }[]) {
  const records = batch.map(({ id, text }) => {
    at += 1;
    const document = text === null ? undefined : product(id, { name: '', text });
    return { store, id, document, position: position(at) };
  });
  await models.store.commit([{ collection: products, generation: 'live', records, rows: [] }], [checkpoint(at)]);
}

test('whatever is written, changed and deleted in whatever batches, words find what holds them', async () => {
  let stores = 0;
  await fc.assert(
    fc.asyncProperty(histories, async (batches) => {
      stores += 1;
      const store = `store ${stores}`;
      const kept = new Map<string, string | null>();
      for (const batch of batches) {
        for (const { id, text } of batch) kept.set(id, text);
        await write(store, batch);
      }
      for (const words of SEARCHES) {
        const sort = { column: 'name', direction: 'asc' } as const;
        const { items } = await models.reads.find(products, { store, words, sort, limit: 50 });
        const expected = [...kept].filter(([, text]) => text !== null && matches(text, words)).map(([id]) => id);
        expect(items.map(({ id }) => id)).toEqual(expected.sort());
        expect(await models.reads.count(products, { store, words })).toBe(expected.length);
      }
    }),
    { numRuns: 200 },
  );
});
