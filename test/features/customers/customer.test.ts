import { describe, test } from '@jest/globals';
import type { CustomerCommand } from '../../../src/features/customers/decider.js';
import { customer } from '../../../src/features/customers/decider.js';
import type { CustomerData, CustomerEvent } from '../../../src/features/customers/events.js';
import { CUSTOMER_ERASED, DOCUMENT_TAKEN } from '../../../src/features/customers/rejections.js';
import { NOT_FOUND, STALE } from '../../../src/kernel/events/rejection.js';
import { given } from '../../support/given.js';

const ana: CustomerData = {
  id: 'ana',
  name: 'sealed name',
  document: 'sealed document',
  email: null,
  phone: null,
  claimId: 'claim 1',
};
const registered: CustomerEvent = { type: 'CustomerRegistered', data: ana };
const changed = (changes: Partial<CustomerData>): CustomerEvent => ({
  type: 'CustomerChanged',
  data: { ...ana, ...changes },
});
const dropped = (claimId: string): CustomerEvent => ({ type: 'CustomerClaimDropped', data: { id: 'ana', claimId } });
const erased: CustomerEvent = { type: 'CustomerErased', data: { id: 'ana' } };

const register: CustomerCommand = { type: 'register', data: ana };
type Changes = Extract<CustomerCommand, { type: 'change' }>['changes'];
const change = (changes: Changes, ifMatch?: number): CustomerCommand => ({
  type: 'change',
  changes,
  ifMatch: ifMatch === undefined ? undefined : [ifMatch],
});
const dropClaim = (claimId: string): CustomerCommand => ({ type: 'dropClaim', id: 'ana', claimId });
const erase: CustomerCommand = { type: 'erase', id: 'ana' };

describe('registering', () => {
  test('records the sealed values', () => {
    given(customer).when(register).then(registered);
  });
  test('again changes nothing', () => {
    given(customer, registered).when(register).thenNothing();
  });
  test('with a claim that was dropped is refused', () => {
    given(customer, dropped('claim 1')).when(register).thenRefused(DOCUMENT_TAKEN);
  });
  test('with another claim than the dropped one is not', () => {
    given(customer, dropped('claim 2')).when(register).then(registered);
  });
});

describe('changing', () => {
  test('keeps what it leaves out', () => {
    given(customer, registered)
      .when(change({ phone: 'sealed phone' }, 0))
      .then(changed({ phone: 'sealed phone' }));
  });
  test('to the same values changes nothing', () => {
    given(customer, registered)
      .when(change({ name: ana.name, phone: null }))
      .thenNothing();
  });
  test('takes the claim of the new document with it', () => {
    given(customer, registered)
      .when(change({ document: 'other', claimId: 'claim 2' }))
      .then(changed({ document: 'other', claimId: 'claim 2' }));
  });
  test('with a dropped claim is refused', () => {
    given(customer, registered, dropped('claim 2'))
      .when(change({ document: 'other', claimId: 'claim 2' }))
      .thenRefused(DOCUMENT_TAKEN);
  });
  test('a dropped claim is no change of the record: its tag stays', () => {
    given(customer, registered, dropped('claim 2'))
      .when(change({ phone: 'x' }, 0))
      .then(changed({ phone: 'x' }));
  });
  test('what is stale, unknown or erased is refused', () => {
    given(customer, registered, changed({ phone: 'x' }))
      .when(change({ phone: 'y' }, 0))
      .thenRefused(STALE);
    given(customer)
      .when(change({ phone: 'y' }))
      .thenRefused(NOT_FOUND);
    given(customer, dropped('claim 1'))
      .when(change({ phone: 'y' }))
      .thenRefused(NOT_FOUND);
    given(customer, registered, erased)
      .when(change({ phone: 'y' }))
      .thenRefused(CUSTOMER_ERASED);
  });
});

describe('dropping a claim', () => {
  test('comes before a customer who may never be born', () => {
    given(customer).when(dropClaim('claim 1')).then(dropped('claim 1'));
  });
  test('leaves a document alone that the customer has', () => {
    given(customer, registered).when(dropClaim('claim 1')).thenNothing();
  });
  test('that the customer had before is recorded', () => {
    given(customer, registered, changed({ claimId: 'claim 2' }))
      .when(dropClaim('claim 1'))
      .then(dropped('claim 1'));
  });
  test('happens once', () => {
    given(customer, dropped('claim 1')).when(dropClaim('claim 1')).thenNothing();
  });
  test('is not needed once the customer is erased', () => {
    given(customer, registered, erased).when(dropClaim('claim 1')).thenNothing();
  });
});

describe('erasing', () => {
  test('is recorded once', () => {
    given(customer, registered).when(erase).then(erased);
    given(customer, registered, erased).when(erase).thenNothing();
  });
  test('who was never there is refused', () => {
    given(customer).when(erase).thenRefused(NOT_FOUND);
    given(customer, dropped('claim 1')).when(erase).thenRefused(NOT_FOUND);
  });
  test('is final: nothing registers the customer again', () => {
    given(customer, registered, erased).when(register).thenNothing();
  });
});
