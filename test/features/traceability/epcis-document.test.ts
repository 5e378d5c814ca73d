import { expect, test } from '@jest/globals';
import { saleEvent } from '../../../src/features/traceability/epcis-document.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

const SERVICE = 'https://padaria.example';
const LOT = '01a2152d-35f1-7565-ae8a-ee6fb8eb021b';

function linkOf(gtin: string, lotCode: string | null): string {
  const goods = { lotId: LOT, lotCode, gtin, unit: 'UN', quantity: Decimal.from(1) };
  const sold = { saleId: LOT, line: 1, soldAt: '2026-03-02T12:00:00.000Z', goods };
  const event = saleEvent(sold, { baseUrl: SERVICE, timeZone: 'America/Sao_Paulo' });
  return (event as { quantityList: { epcClass: string }[] }).quantityList[0]?.epcClass ?? '';
}

test.each([
  ['a code that GS1 permits', '7891000100103', 'P-2/B', 'https://id.gs1.org/01/07891000100103/10/P-2%2FB'],
  [
    'the longest that it permits',
    '7891000100103',
    'A'.repeat(20),
    `https://id.gs1.org/01/07891000100103/10/${'A'.repeat(20)}`,
  ],
  ['a longer one', '7891000100103', 'A'.repeat(21), `${SERVICE}/01/07891000100103/10/${'A'.repeat(21)}`],
  ['a letter that it does not know', '7891000100103', 'PÃO-7', `${SERVICE}/01/07891000100103/10/P%C3%83O-7`],
  ['no code', '7891000100103', null, `${SERVICE}/01/07891000100103/10/${LOT}`],
  ['a barcode of one’s own', '2000000000015', 'P-2', `${SERVICE}/01/02000000000015/10/P-2`],
  ['a short barcode of one’s own', '20000011', 'P-2', `${SERVICE}/01/00000020000011/10/P-2`],
  ['the barcode of a case', '27891000100107', 'P-2', 'https://id.gs1.org/01/27891000100107/10/P-2'],
])('a lot with %s', (_, gtin, lotCode, link) => {
  expect(linkOf(gtin, lotCode)).toBe(link);
});
