import { describe, expect, test } from '@jest/globals';
import { CustomerKey } from '../../../src/features/customers/sealing.js';

const ana = {
  stateRegistration: null,
  address: null,
  name: 'Ana Conceição 🧀',
  document: '52998224725',
  email: 'ana@casa.example',
  phone: null,
};

describe('a customer key', () => {
  test('opens what it sealed, and nothing of it is to be seen', () => {
    const key = CustomerKey.fresh('ana');
    const sealed = key.seal(ana);
    expect(key.open(sealed)).toEqual(ana);
    expect(new CustomerKey('ana', key.bytes).open(sealed)).toEqual(ana);
    const bytes = Object.values(sealed).map((value) => Buffer.from(value ?? '', 'base64url').toString('latin1'));
    for (const text of ['Ana', '52998224725', 'casa.example']) expect(bytes.join()).not.toContain(text);
  });
  test('seals a text to the same value each time, and apart in each field', () => {
    const key = CustomerKey.fresh('ana');
    expect(key.seal(ana)).toEqual(key.seal(ana));
    const { name, email } = key.seal({ name: 'x', email: 'x' });
    expect(name).not.toBe(email);
    expect(CustomerKey.fresh('ana').seal({ name: 'x' }).name).not.toBe(name);
  });
  test('opens nothing of another customer, of another field, of another key, or changed', () => {
    const key = CustomerKey.fresh('ana');
    const sealed = key.seal(ana);
    expect(() => new CustomerKey('bia', key.bytes).open(sealed)).toThrow();
    expect(() => CustomerKey.fresh('ana').open(sealed)).toThrow();
    expect(() => key.open({ ...sealed, email: sealed.document })).toThrow();
    const bytes = Buffer.from(sealed.name, 'base64url');
    for (let place = 0; place < bytes.length; place++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
      expect(() => key.open({ ...sealed, name: changed.toString('base64url') })).toThrow();
    }
  });
  test('leaves out of a change what the change leaves out', () => {
    const key = CustomerKey.fresh('ana');
    expect(key.seal({ phone: null })).toEqual({ phone: null });
    expect(key.seal({})).toEqual({});
  });
});
