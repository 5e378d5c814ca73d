import { describe, test } from '@jest/globals';
import { category } from '../../src/features/categories/decider.js';
import { NAME_TAKEN } from '../../src/kernel/patterns/named-set.js';
import { NOT_FOUND, STALE } from '../../src/kernel/events/rejection.js';
import { given } from '../support/given.js';

const item = (id: string, name: string, defaultNcm: string | null = null) => ({ id, name, fields: { defaultNcm } });
const created = (id: string, name: string, defaultNcm: string | null = null) => ({
  type: 'CategoryCreated' as const,
  data: item(id, name, defaultNcm),
});
const changed = (id: string, name: string, defaultNcm: string | null = null) => ({
  type: 'CategoryChanged' as const,
  data: item(id, name, defaultNcm),
});
const deleted = (...ids: string[]) => ({ type: 'CategoriesDeleted' as const, data: { ids } });
const create = (id: string, name: string) => ({ type: 'create' as const, items: [item(id, name)] });
const change = (id: string, name: string, fields: { defaultNcm?: string | null } = {}, ifMatch?: number) => ({
  type: 'change' as const,
  id,
  name,
  fields,
  ifMatch: ifMatch === undefined ? undefined : [ifMatch],
});

describe('a category', () => {
  test('is created', () => {
    given(category).when(create('1', 'Pães')).then(created('1', 'Pães'));
  });
  test('has a name of its own, whatever case and accents', () => {
    given(category, created('1', 'Pães')).when(create('2', 'PAES')).thenRefused(NAME_TAKEN);
  });
  test('takes a name again that a deletion set free', () => {
    given(category, created('1', 'Pães'), deleted('1')).when(create('2', 'Pães')).then(created('2', 'Pães'));
  });
  test('takes a name again that a change set free', () => {
    given(category, created('1', 'Pães'), changed('1', 'Bolos')).when(create('2', 'Pães')).then(created('2', 'Pães'));
  });
  test('can change the case of its own name', () => {
    given(category, created('1', 'pães')).when(change('1', 'Pães')).then(changed('1', 'Pães'));
  });
  test('keeps its NCM when a change leaves it out', () => {
    given(category, created('1', 'Pães', '19059090'))
      .when(change('1', 'Pão'))
      .then(changed('1', 'Pão', '19059090'));
  });
  test('loses its NCM to null', () => {
    given(category, created('1', 'Pães', '19059090'))
      .when(change('1', 'Pães', { defaultNcm: null }))
      .then(changed('1', 'Pães'));
  });
  test('records nothing when nothing changes', () => {
    given(category, created('1', 'Pães')).when(change('1', 'Pães')).thenNothing();
  });
  test('does not take the name of another', () => {
    given(category, created('1', 'Pães'), created('2', 'Bolos')).when(change('2', 'paes')).thenRefused(NAME_TAKEN);
  });
  test('is not found when it is unknown', () => {
    given(category).when(change('1', 'Pães')).thenRefused(NOT_FOUND);
  });
  test('is changed by who saw its last change', () => {
    given(category, created('1', 'Pães'), created('2', 'Bolos'))
      .when(change('1', 'Pão', {}, 0))
      .then(changed('1', 'Pão'));
  });
  test('is not changed by who did not', () => {
    given(category, created('1', 'Pães'), changed('1', 'Pão'))
      .when(change('1', 'Bolos', {}, 0))
      .thenRefused(STALE);
  });
  test('is deleted', () => {
    given(category, created('1', 'Pães')).when({ type: 'delete', id: '1', ifMatch: undefined }).then(deleted('1'));
  });
  test('is not deleted twice', () => {
    given(category, created('1', 'Pães'), deleted('1'))
      .when({ type: 'delete', id: '1', ifMatch: undefined })
      .thenRefused(NOT_FOUND);
  });
  test('is not deleted by who saw an older one', () => {
    given(category, created('1', 'Pães'), changed('1', 'Pão'))
      .when({ type: 'delete', id: '1', ifMatch: [0] })
      .thenRefused(STALE);
  });
  test('several go at once, unknown and repeated ids ignored', () => {
    given(category, created('1', 'Pães'), created('2', 'Bolos'))
      .when({ type: 'deleteMany', ids: ['2', '9', '2', '1'] })
      .then(deleted('2', '1'));
  });
  test('deleting none records nothing', () => {
    given(category)
      .when({ type: 'deleteMany', ids: ['9'] })
      .thenNothing();
  });
});
