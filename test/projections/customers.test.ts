import { test } from '@jest/globals';
import { customersProjector } from '../../projections/customers/customers.js';
import type { CustomerData, CustomerEvent } from '../../src/features/customers/events.js';
import { givenProjection } from '../support/given-projection.js';

const ana: CustomerData = {
  id: 'ana',
  name: 'sealed name',
  document: 'sealed document',
  email: null,
  phone: 'sealed phone',
  claimId: 'claim 1',
};
const search = { terms: 'aa bb', document: 'cc' };
const registered: CustomerEvent = { type: 'CustomerRegistered', data: { ...ana, search } };
const erased: CustomerEvent = { type: 'CustomerErased', data: { id: 'ana' } };
const [at0, at1] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z'];
const sealed = { id: 'ana', name: 'sealed name', document: 'sealed document', email: null, phone: 'sealed phone' };
const unsaid = { stateRegistration: null, address: null };

test('a customer stays sealed and is found by terms', () => {
  givenProjection(customersProjector)
    .when([registered])
    .then({
      ana: {
        ...sealed,
        ...unsaid,
        createdAt: at0,
        updatedAt: at0,
        erasedAt: null,
        revision: 0,
        terms: 'aa bb',
        documentTerm: 'cc',
      },
    });
});

test('a change replaces values and terms', () => {
  const data = { ...ana, document: null, claimId: null, search: { terms: 'aa', document: null } };
  givenProjection(customersProjector)
    .when([registered, { type: 'CustomerChanged', data }])
    .then({
      ana: {
        ...sealed,
        ...unsaid,
        document: null,
        createdAt: at0,
        updatedAt: at1,
        erasedAt: null,
        revision: 1,
        terms: 'aa',
        documentTerm: null,
      },
    });
});

test('nothing of an erased customer stays but the id and the times, whether the key was still there or not', () => {
  const nobody = { id: 'ana', name: null, document: null, email: null, phone: null, terms: '', documentTerm: null };
  const expected = { ana: { ...nobody, ...unsaid, createdAt: at0, updatedAt: at1, erasedAt: at1, revision: 1 } };
  givenProjection(customersProjector).when([registered, erased]).then(expected);
  givenProjection(customersProjector)
    .when([{ type: 'CustomerRegistered', data: ana }, erased])
    .then(expected);
});

test('a dropped claim makes no customer', () => {
  givenProjection(customersProjector)
    .when([{ type: 'CustomerClaimDropped', data: { id: 'ana', claimId: 'claim 1' } }])
    .then({});
});
