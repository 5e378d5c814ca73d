import { describe, expect, test } from '@jest/globals';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { layoutTimeZone } from '../../../src/features/fiscal/domain/layout-time.js';
import { isTooLarge } from '../../../src/features/fiscal/domain/document-size.js';
import {
  absent,
  missingInAddress,
  missingInName,
  missingInRecipient,
} from '../../../src/features/fiscal/domain/missing.js';
import { noteXml } from '../../../src/features/fiscal/domain/xml/note-xml.js';
import type { Note } from '../../../src/features/fiscal/domain/note.js';
import { address, company, emission, issuer, item, note, person, ruleFor } from '../../support/fiscal/notes.js';

const d = (text: string): Decimal => Decimal.from(text);
const xmlOf = (changes: Partial<Note>): string => noteXml(note(changes), emission({ model: changes.model ?? 65 })).sent;

/** Texts of which the layout keeps less than it needs. */

const tooShort = (path: string) => ({ path, fault: 'short' });

describe('what would be too short in the document is missing', () => {
  test('in an address', () => {
    const short = { ...address(), street: '🥖🥖', district: 'X', city: '👋', number: '№' };
    expect(missingInAddress('a', short)).toEqual([tooShort('a.street'), tooShort('a.district'), tooShort('a.city')]);
    expect(missingInAddress('a', { ...address(), number: '' })).toEqual([absent('a.number')]);
    expect(missingInAddress('a', { ...address(), state: 'RJ' })).toEqual([{ path: 'a.cityCode', fault: 'elsewhere' }]);
    expect(missingInAddress('a', null)).toEqual([absent('a')]);
  });

  test('in a name', () => {
    const missing = ['Иван', 'A', '', null].map((name) => missingInName('n', name));
    expect(missing).toEqual([[tooShort('n')], [tooShort('n')], [absent('n')], [absent('n')]]);
    expect(missingInName('n', 'Zé')).toEqual([]);
    const wish = { model: 55, customerId: 'c', total: d('1'), mustBeKnownFrom: d('10000') };
    expect(missingInRecipient({ ...wish, recipient: company({ name: 'Иван' }) })).toEqual([tooShort('customer.name')]);
  });
});

test('times are the store’s, unless the layout has no room for its offset', () => {
  const now = Date.parse('2026-11-22T18:00:00Z');
  const zones = ['America/Manaus', 'UTC', 'Pacific/Auckland', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Etc/GMT+12'];
  expect(zones.map((zone) => layoutTimeZone(now, zone) === zone)).toEqual([true, true, false, false, false, false]);
  expect(layoutTimeZone(now, 'Asia/Kolkata')).toBe('America/Sao_Paulo');
});

test('what authorities would not take for its length is known before it is signed', () => {
  const many = (count: number, changes: object = {}) =>
    note({
      issuer: issuer('NORMAL'),
      items: Array.from({ length: count }, () => item({ rule: ruleFor('NORMAL'), ...changes })),
    });
  expect([many(1), many(300), many(990)].map(isTooLarge)).toEqual([false, false, true]);
  const lot = { code: 'L', quantity: d('1'), madeOn: '2026-11-19', expiresOn: '2026-11-25' };
  expect(isTooLarge(many(20, { lots: Array.from({ length: 500 }, () => lot) }))).toBe(true);
});

test.each([
  ['of goods', '7891000100103', true],
  ['of a case of them', '27891000100107', true],
  ['of goods, with 14 digits', '04012345678901', true],
  ['of goods, with 12 digits', '036000291452', true],
  ['of small goods', '78910003', true],
  ['that scales print', '2000000000015', false],
  ['of a shop', '0400000000015', false],
  ['of a shop, with 14 digits', '00400000000015', false],
  ['of a shop, with 12 digits', '200000000011', false],
  ['of a shop, with 8 digits', '20000011', false],
  ['of a company, with 8 digits', '00000123', false],
])('a barcode %s (%s) is named where it means the same everywhere: %s', (_, gtin, isNamed) => {
  expect(/<cEAN>(.*?)</.exec(xmlOf({ items: [item({ gtin })] }))?.[1]).toBe(isNamed ? gtin : 'SEM GTIN');
});

describe('what need not be there is left out', () => {
  test('a consumer’s name of one letter, and an e-mail that is too long', () => {
    const email = `${'a'.repeat(60)}@example.com`;
    const xml = xmlOf({ environment: 'PRODUCTION', recipient: { ...person, name: 'A', email } });
    expect(xml).toContain('<dest><CPF>52998224725</CPF><indIEDest>9</indIEDest></dest>');
  });

  test('lots without letters, and those beyond 500', () => {
    const lot = { quantity: d('1'), madeOn: '2026-11-19', expiresOn: '2026-11-25' };
    const lots = [
      { ...lot, code: '🥖' },
      ...Array.from({ length: 600 }, (_, index) => ({ ...lot, code: `L${String(index)}` })),
    ];
    const xml = xmlOf({ items: [item({ lots })] });
    expect(xml.match(/<rastro>/g)).toHaveLength(500);
    expect(xml).not.toContain('<nLote></nLote>');
  });

  test('a kind of volumes without letters', () => {
    expect(xmlOf({ model: 55, recipient: company(), items: [item({ volumeSpecies: '📦' })] })).toMatch(
      /<vol><pesoL>0\.100<\/pesoL>/,
    );
  });

  test('a means of payment that one letter names', () => {
    const payments = [{ code: '99', description: 'V', amount: d('19.4'), later: false, card: null }];
    expect(xmlOf({ payments })).toContain('<xPag>Outros</xPag>');
  });
});
