import { describe, expect, test } from '@jest/globals';
import type { FiscalSettings } from '../../src/features/contracts/fiscal-settings.js';
import { NO_FISCAL_SETTINGS } from '../../src/features/contracts/fiscal-settings.js';
import type { StoreChanges } from '../../src/features/stores/decider.js';
import { SLUG_TAKEN, planOf, stores } from '../../src/features/stores/decider.js';
import type { StoreEvent, StoreRecord } from '../../src/features/stores/events.js';
import { fold } from '../support/fold.js';
import { NOT_FOUND, STALE } from '../../src/kernel/events/rejection.js';
import { given } from '../support/given.js';

const aurora: StoreRecord = {
  id: 's1',
  slug: 'aurora',
  legalName: 'Aurora Ltda',
  tradeName: 'Aurora',
  taxId: null,
  segment: 'BAKERY',
  activityCode: null,
  timeZone: 'America/Sao_Paulo',
  plan: planOf('api'),
  modules: { production: true, scaleCode: true, orders: true },
  requireTwoFactor: false,
};
const created: StoreEvent = { type: 'StoreCreated', data: aurora };
const { slug: _slug, plan: _plan, ...settings } = aurora;
const changed = (changes: Partial<typeof settings>, was: Partial<typeof settings> = {}): StoreEvent => ({
  type: 'StoreChanged',
  data: { ...settings, ...changes, was },
});
const change = (changes: StoreChanges, ifMatch?: number, id = 's1') => ({
  type: 'change' as const,
  id,
  changes,
  ifMatch: ifMatch === undefined ? undefined : [ifMatch],
});

describe('a store', () => {
  test('is created', () => {
    given(stores).when({ type: 'create', store: aurora }).then(created);
  });
  test('has a slug of its own', () => {
    given(stores, created)
      .when({ type: 'create', store: { ...aurora, id: 's2' } })
      .thenRefused(SLUG_TAKEN);
  });
  test('changes what is given and keeps the rest', () => {
    given(stores, created)
      .when(change({ tradeName: 'Aurora Pães', modules: { orders: false } }))
      .then(
        changed(
          { tradeName: 'Aurora Pães', modules: { production: true, scaleCode: true, orders: false } },
          { tradeName: 'Aurora', modules: aurora.modules },
        ),
      );
  });
  test('stays when nothing is new', () => {
    given(stores, created)
      .when(change({ tradeName: 'Aurora', modules: { orders: true } }))
      .thenNothing();
    given(stores, created).when({ type: 'setPlan', id: 's1', plan: 'api' }).thenNothing();
  });
  test('does not change for a client that saw an older record', () => {
    const history = [created, changed({ tradeName: 'A' })];
    given(stores, ...history)
      .when(change({ tradeName: 'B' }, 0))
      .thenRefused(STALE);
    given(stores, ...history)
      .when(change({ tradeName: 'B' }, 1))
      .then(changed({ tradeName: 'B' }, { tradeName: 'A' }));
  });
  test('changes of its fiscal settings what is given, whatever another changed meanwhile', () => {
    const settled = (fiscal: FiscalSettings, was: Partial<FiscalSettings> = {}): StoreEvent => ({
      type: 'StoreFiscalSettingsChanged',
      data: { id: 's1', fiscal, was },
    });
    const other = { ...NO_FISCAL_SETTINGS, offline65: false, series: { '55': 1, '65': 7 } };
    given(stores, created, settled(other))
      .when({ ...change({}), fiscal: { series: { '55': 3 }, qrCode: 2 } })
      .then(settled({ ...other, series: { '55': 3, '65': 7 }, qrCode: 2 }, { series: other.series, qrCode: 3 }));
    given(stores, created, settled(other))
      .when({ ...change({}), fiscal: { series: { '65': 7 } } })
      .thenNothing();
  });
  test('changes its plan', () => {
    const basic: StoreEvent = {
      type: 'StorePlanChanged',
      data: { id: 's1', plan: { name: 'basic', apiAccess: false } },
    };
    given(stores, created).when({ type: 'setPlan', id: 's1', plan: 'basic' }).then(basic);
    const { byId } = fold(stores.decider, [created, changed({ tradeName: 'B' }), basic]);
    expect(byId.get('s1')).toEqual({
      ...aurora,
      tradeName: 'B',
      plan: planOf('basic'),
      fiscal: expect.objectContaining({ environment: 'HOMOLOGATION', taxRegime: 'SIMPLES', certificate: null }),
      revision: 2,
    });
  });
  test('must be there', () => {
    given(stores, created)
      .when(change({}, undefined, 's2'))
      .thenRefused(NOT_FOUND);
    given(stores, created).when({ type: 'setPlan', id: 's2', plan: 'api' }).thenRefused(NOT_FOUND);
  });
});
