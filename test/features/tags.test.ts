import { describe, test } from '@jest/globals';
import { tag } from '../../src/features/tags/decider.js';
import { NAME_TAKEN } from '../../src/kernel/patterns/named-set.js';
import { given } from '../support/given.js';

const created = (id: string, name: string) => ({ type: 'ProductTagCreated' as const, data: { id, name, fields: {} } });
const create = (...names: string[]) => ({
  type: 'create' as const,
  items: names.map((name, index) => ({ id: `new-${String(index)}`, name, fields: {} })),
});

describe('a product tag', () => {
  test('is created', () => {
    given(tag).when(create('Vegano')).then(created('new-0', 'Vegano'));
  });
  test('with a name that exists is that tag', () => {
    given(tag, created('1', 'Vegano')).when(create('VEGANO')).thenNothing();
  });
  test('is the same whether an accent is one character or two', () => {
    given(tag, created('1', 'Caf\u00e9')).when(create('Cafe\u0301')).thenNothing();
  });
  test('is made once when a request names it twice', () => {
    given(tag).when(create('Vegano', 'vegano')).then(created('new-0', 'Vegano'));
  });
  test('does not take the name of another when it is renamed', () => {
    given(tag, created('1', 'Vegano'), created('2', 'Integral'))
      .when({ type: 'change', id: '2', name: 'vegano', fields: {}, ifMatch: undefined })
      .thenRefused(NAME_TAKEN);
  });
});
