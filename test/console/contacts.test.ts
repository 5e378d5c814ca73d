import { expect, test } from '@jest/globals';
import { consoleModule } from '../support/console-module.js';

interface Contacts {
  taxId(value: string | null): string;
  phone(value: string | null): string;
}

const { taxId, phone } = await consoleModule<Contacts>('values/contacts.ts');

test.each([
  ['11222333000181', '11.222.333/0001-81'],
  ['12ABC34501DE35', '12.ABC.345/01DE-35'],
  ['12345678909', '123.456.789-09'],
  ['EXTERIOR 77', 'EXTERIOR 77'],
  [null, '–'],
])('%j is written %j', (value, written) => {
  expect(taxId(value)).toBe(written);
});

test.each([
  ['+5511987654321', '(11) 98765-4321'],
  ['+551132654321', '(11) 3265-4321'],
  ['11987654321', '(11) 98765-4321'],
  ['1132654321', '(11) 3265-4321'],
  ['32654321', '32654321'],
  ['+351211234567', '+351211234567'],
  [null, '–'],
])('%j is dialled as %j', (value, written) => {
  expect(phone(value)).toBe(written);
});
