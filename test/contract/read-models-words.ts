import { expect } from '@jest/globals';
import type { ContractTest, OpenReadModels } from './read-models.js';
import { checkpoint, product, products, put, remove } from './read-model-samples.js';

const SHELF = [
  product('a', { name: 'Pão Francês', text: 'Crosta fina, miolo macio' }),
  product('b', { name: 'PÃO DE QUEIJO', text: 'Massa de polvilho 50%' }),
  product('c', { name: 'Bolo de cenoura', text: 'Cobertura de chocolate (70% cacau)' }),
  product('d', { name: 'Açúcar_mascavo', text: 'pacote 1.5kg [orgânico]' }),
];

/** The ids that the words find, and checks that the count agrees. */
async function found({ reads }: OpenReadModels, words: string, more: object = {}): Promise<string> {
  const query = { store: 's1', words, ...more };
  const sort = { column: 'name', direction: 'asc' } as const;
  const page = await reads.find(products, { ...query, sort, limit: 50 });
  expect(await reads.count(products, query)).toBe(page.items.length);
  return page.items
    .map(({ id }) => id)
    .sort()
    .join('');
}

const given = (title: string, run: ContractTest[1]): ContractTest => [
  title,
  async (models) => {
    const other = put([product('z', { name: 'Pão alheio' })], { at: 1, store: 's2' });
    await models.store.commit([put(SHELF, { at: 1 }), other], [checkpoint(1)]);
    await run(models);
  },
];

export const wordTests: readonly ContractTest[] = [
  given('every word must begin a word of the text', async (models) => {
    expect(await found(models, 'pão')).toBe('ab');
    expect(await found(models, 'pao fran')).toBe('a');
    expect(await found(models, 'fran pa')).toBe('a');
    expect(await found(models, 'de choc cen')).toBe('c');
    expect(await found(models, 'pao bolo')).toBe('');
    expect(await found(models, 'ao')).toBe('');
    expect(await found(models, 'p')).toBe('abd');
  }),
  given('case and accents do not count', async (models) => {
    expect(await found(models, 'FRANCÊS')).toBe('a');
    expect(await found(models, 'queijo')).toBe('b');
    expect(await found(models, 'acucar')).toBe('d');
    expect(await found(models, 'pa\u0303o')).toBe('ab');
  }),
  given('a word twice counts once', async (models) => {
    expect(await found(models, 'pao pao PÃO')).toBe('ab');
    expect(await found(models, 'pa pao')).toBe('ab');
  }),
  given('signs separate words and mean nothing else', async (models) => {
    for (const words of ['pao%', '%pao', 'pao*', '"pao"', 'pao.', '^pao$', '(pao', 'pao\\', "pao'", '-pao']) {
      expect(await found(models, words)).toBe('ab');
    }
    expect(await found(models, 'q_e')).toBe('');
    expect(await found(models, 'q.e')).toBe('');
    expect(await found(models, 'mascavo')).toBe('d');
    expect(await found(models, '70%')).toBe('c');
    expect(await found(models, '1.5kg')).toBe('d');
    expect(await found(models, 'pao OR bolo')).toBe('');
  }),
  given('empty words find everything', async (models) => {
    for (const words of ['', '   ', '%', '*?!']) expect(await found(models, words)).toBe('abcd');
  }),
  given('words and other conditions hold together', async (models) => {
    await models.store.commit([put([product('e', { name: 'Pão doce', stock: 3 })], { at: 2 })], [checkpoint(2)]);
    expect(await found(models, 'pao', { equal: { stock: 3 } })).toBe('e');
    expect(await found(models, 'pao', { range: { column: 'stock', after: 3 } })).toBe('ab');
    expect(await found(models, 'p', { oneOf: { column: 'name', values: ['Pão doce'] } })).toBe('e');
  }),
  given('words follow the changes of a document', async (models) => {
    await models.store.commit([put([product('a', { name: 'Baguete rústica' })], { at: 2 })], [checkpoint(2)]);
    expect(await found(models, 'fran')).toBe('');
    expect(await found(models, 'rust')).toBe('a');
    await models.store.commit([remove(['a'], { at: 3 })], [checkpoint(3)]);
    expect(await found(models, 'rust')).toBe('');
    await models.store.commit([put([product('a', { name: 'Pão' })], { at: 4 })], [checkpoint(4)]);
    expect(await found(models, 'pao')).toBe('ab');
  }),
  given('pages of found records go on by cursor and offset', async (models) => {
    const breads = Array.from({ length: 30 }, (_, index) => product(`m${index}`, { name: `Pão ${index % 4}` }));
    await models.store.commit([put(breads, { at: 2 })], [checkpoint(2)]);
    const query = { store: 's1', words: 'pao', sort: { column: 'name', direction: 'desc' }, limit: 20 } as const;
    const first = await models.reads.find(products, query);
    const second = await models.reads.find(products, { ...query, cursor: first.nextCursor ?? '' });
    const byOffset = await models.reads.find(products, { ...query, offset: 20 });
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(32);
    expect(byOffset.items).toEqual(second.items);
  }),
];
