import { describe, expect, test } from '@jest/globals';
import { chooseLocation } from '../../../src/features/inventory/locations/choice.js';
import type { Locations, LocationsCommand } from '../../../src/features/inventory/locations/decider.js';
import { locations, withFirst } from '../../../src/features/inventory/locations/decider.js';
import type { LocationData, LocationEvent } from '../../../src/features/inventory/locations/events.js';
import { LOCATION_IS_DEFAULT } from '../../../src/features/inventory/locations/rejections.js';
import { fold } from '../../support/fold.js';
import { newId } from '../../../src/kernel/values/ids.js';
import { NAME_TAKEN } from '../../../src/kernel/patterns/named-set.js';
import { NOT_FOUND, Rejection, STALE } from '../../../src/kernel/events/rejection.js';
import { NOON, given } from '../../support/given.js';

const OPENED = '2026-01-05T08:00:00.000Z';
const storeId = newId(Date.parse(OPENED));
const { defaultId: firstId } = withFirst(locations.decider.initial, storeId);

const first: LocationData = {
  id: firstId,
  name: 'Principal',
  isDefault: true,
  isProductionDefault: true,
  active: true,
  createdAt: OPENED,
};
const depot: LocationData = {
  id: 'depot',
  name: 'Depósito',
  isDefault: false,
  isProductionDefault: false,
  active: true,
  createdAt: NOON,
};
const created = (data: LocationData): LocationEvent => ({ type: 'LocationCreated', data });
const changed = (data: LocationData): LocationEvent => ({ type: 'LocationChanged', data });
const both = [created(first), created(depot)];

const flags = { isDefault: false, isProductionDefault: false, active: true };
const create = (name: string, fields: Partial<typeof flags> = {}): LocationsCommand => ({
  type: 'create',
  storeId,
  id: 'depot',
  fields: { ...flags, ...fields, name },
});
type Change = Extract<LocationsCommand, { type: 'change' }>;
const change = (id: string, changes: Change['changes'], ifMatch?: number): LocationsCommand => ({
  type: 'change',
  storeId,
  id,
  changes,
  ifMatch: ifMatch === undefined ? undefined : [ifMatch],
});
const remove = (id: string, ifMatch?: number): LocationsCommand => ({
  type: 'delete',
  storeId,
  id,
  ifMatch: ifMatch === undefined ? undefined : [ifMatch],
});

describe('the first location', () => {
  test('is there from the beginning, as old as its store, and is the default of everything', () => {
    const { byId, defaultId, productionDefaultId } = withFirst(locations.decider.initial, storeId);
    expect([...byId.keys()]).toEqual([firstId]);
    expect([defaultId, productionDefaultId]).toEqual([firstId, firstId]);
    expect(byId.get(firstId)).toMatchObject({ name: 'Principal', createdAt: OPENED, updatedAt: OPENED, revision: 0 });
  });
  test('is another one in every store', () => {
    const other = newId(Date.parse(OPENED));
    expect(withFirst(locations.decider.initial, other).defaultId).not.toBe(firstId);
  });
  test('is recorded before the first change of any', () => {
    given(locations).when(create('Depósito')).then(created(first), created(depot));
  });
  test('can be renamed, with the entity tag that it has from the beginning', () => {
    given(locations)
      .when(change(firstId, { name: 'Loja' }, 0))
      .then(created(first), changed({ ...first, name: 'Loja' }));
  });
  test('keeps its tag when it is recorded for another', () => {
    given(locations, ...both)
      .when(change(firstId, { name: 'Loja' }, 0))
      .then(changed({ ...first, name: 'Loja' }));
  });
  test('stays while it is the default', () => {
    given(locations).when(remove(firstId)).thenRefused(LOCATION_IS_DEFAULT);
  });
  test('is not recorded for a change that changes nothing', () => {
    given(locations)
      .when(change(firstId, { name: 'Principal', active: true }))
      .thenNothing();
  });
  test('is not recorded for a refusal', () => {
    given(locations).when(create('PRINCIPAL')).thenRefused(NAME_TAKEN);
  });
});

describe('defaults', () => {
  test.each(['isDefault', 'isProductionDefault'] as const)('%s goes to another that takes it', (flag) => {
    given(locations, ...both)
      .when(change('depot', { [flag]: true }))
      .then(changed({ ...depot, [flag]: true }));
  });
  test.each(['isDefault', 'isProductionDefault'] as const)('%s goes to a new one that takes it', (flag) => {
    given(locations, created(first))
      .when(create('Depósito', { [flag]: true }))
      .then(created({ ...depot, [flag]: true }));
  });
  test.each(['isDefault', 'isProductionDefault'] as const)('%s cannot be given up', (flag) => {
    given(locations, ...both)
      .when(change(firstId, { [flag]: false }))
      .thenRefused(LOCATION_IS_DEFAULT);
  });
  test('are active', () => {
    const refuse = (command: LocationsCommand, ...history: LocationEvent[]) => {
      given(locations, ...history)
        .when(command)
        .thenRefused(LOCATION_IS_DEFAULT);
    };
    refuse(change(firstId, { active: false }), ...both);
    refuse(change('depot', { active: false }), ...both, changed({ ...depot, isProductionDefault: true }));
    refuse(change('depot', { isDefault: true }), created(first), created({ ...depot, active: false }));
    refuse(create('Depósito', { isDefault: true, active: false }), created(first));
  });
  test('of the production alone is not deleted either', () => {
    given(locations, ...both, changed({ ...depot, isProductionDefault: true }))
      .when(remove('depot'))
      .thenRefused(LOCATION_IS_DEFAULT);
  });
  test('who is none any more can be deactivated and deleted', () => {
    const moved = changed({ ...depot, isDefault: true, isProductionDefault: true });
    const rest = { ...first, isDefault: false, isProductionDefault: false };
    given(locations, ...both, moved)
      .when(change(firstId, { active: false }))
      .then(changed({ ...rest, active: false }));
    given(locations, ...both, moved)
      .when(remove(firstId))
      .then({ type: 'LocationDeleted', data: { id: firstId } });
  });
});

describe('names and tags', () => {
  test('a name is one whatever its case and accents', () => {
    given(locations, ...both)
      .when(change(firstId, { name: 'deposito' }))
      .thenRefused(NAME_TAKEN);
  });
  test('a location may change the case of its own name', () => {
    given(locations, ...both)
      .when(change('depot', { name: 'DEPÓSITO' }))
      .then(changed({ ...depot, name: 'DEPÓSITO' }));
  });
  test('the name of a deleted one is free', () => {
    given(locations, ...both, { type: 'LocationDeleted', data: { id: 'depot' } })
      .when(create('Depósito'))
      .then(created(depot));
  });
  test('one that was deleted while somebody came to use it comes back as it was', () => {
    const restore = { type: 'restore', storeId, location: depot } as const;
    given(locations, ...both, { type: 'LocationDeleted', data: { id: 'depot' } })
      .when(restore)
      .then(created(depot));
    given(locations, ...both)
      .when(restore)
      .thenNothing();
  });
  test('one that comes back goes on under a number where its name was given to others meanwhile', () => {
    const restore = (location: LocationData) => ({ type: 'restore', storeId, location }) as const;
    const other = created({ ...depot, id: 'other', name: 'DEPOSITO' });
    given(locations, created(first), other)
      .when(restore(depot))
      .then(created({ ...depot, name: 'Depósito (2)' }));
    given(locations, created(first), other, created({ ...depot, id: 'third', name: 'Depósito (2)' }))
      .when(restore(depot))
      .then(created({ ...depot, name: 'Depósito (3)' }));
    const long = 'm'.repeat(120);
    given(locations, created(first), created({ ...depot, id: 'other', name: long }))
      .when(restore({ ...depot, name: long }))
      .then(created({ ...depot, name: `${long.slice(0, 116)} (2)` }));
  });
  test('one that comes back takes no default from the location that got it meanwhile', () => {
    given(locations, created({ ...first, id: 'other', name: 'Loja' }))
      .when({ type: 'restore', storeId, location: { ...depot, isDefault: true, isProductionDefault: true } })
      .then(created(depot));
  });
  test('a stale tag is refused', () => {
    const refused = given(locations, ...both);
    refused.when(change('depot', { name: 'x' }, 0)).thenRefused(STALE);
    refused.when(remove('depot', 2)).thenRefused(STALE);
  });
  test('what is unknown is not found', () => {
    given(locations).when(change('none', {})).thenRefused(NOT_FOUND);
    given(locations).when(remove('none')).thenRefused(NOT_FOUND);
  });
});

describe('the choice for a request', () => {
  const history = [...both, changed({ ...depot, isProductionDefault: true })];
  const known = (...more: LocationEvent[]): Locations => fold(locations.decider, [...history, ...more]);
  const choice = { path: 'items[0].locationId', otherwise: 'defaultId' } as const;

  test('is what it names, or the default that serves it', () => {
    const chosen = (locationId: string | undefined, otherwise: 'defaultId' | 'productionDefaultId') =>
      chooseLocation(known(), { ...choice, locationId, otherwise }).id;
    expect(chosen('depot', 'defaultId')).toBe('depot');
    expect(chosen(undefined, 'defaultId')).toBe(firstId);
    expect(chosen(undefined, 'productionDefaultId')).toBe('depot');
  });
  test.each([
    ['unknown', 'none', []],
    ['inactive', 'yard', [created({ ...depot, id: 'yard', name: 'Pátio', active: false })]],
  ])('is refused with its path when it is %s', (_, locationId, more) => {
    expect.assertions(2);
    try {
      chooseLocation(known(...more), { ...choice, locationId });
    } catch (error) {
      expect(error).toBeInstanceOf(Rejection);
      expect(error).toMatchObject({ kind: NOT_FOUND, extra: { errors: [{ path: 'items[0].locationId' }] } });
    }
  });
});
