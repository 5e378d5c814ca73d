import { describe, expect, test } from '@jest/globals';
import { consoleModule } from '../support/console-module.js';

interface Gs1 {
  readLabel(scanned: string): { readonly gtin?: string; readonly lotCode?: string } | undefined;
  lotCodeOf(typed: string): string;
  productCodeOf(typed: string): string;
}

const { readLabel, lotCodeOf, productCodeOf } = await consoleModule<Gs1>('values/gs1.ts');
const BOTH = { gtin: '07891000100103', lotCode: 'L-261122/1' };

describe('a label that is scanned', () => {
  test.each([
    ['as the labels of the console are written', '(01)07891000100103(17)261231(10)L-261122/1'],
    ['without an expiry', '(01)07891000100103(10)L-261122/1'],
    ['in a row, with the mark of the scanner', ']d20107891000100103172612311' + '0L-261122/1'],
    ['in a row, without a mark', '010789100010010317261231' + '10L-261122/1'],
    ['with the lot before the expiry', ']C1010789100010010310L-261122/1\u001d17261231'],
    ['as a link', 'https://id.gs1.org/01/07891000100103/10/L-261122%2F1?17=261231'],
  ])('%s', (_, scanned) => {
    expect(readLabel(scanned)).toEqual(BOTH);
    expect(lotCodeOf(scanned)).toBe(BOTH.lotCode);
    expect(productCodeOf(scanned)).toBe(BOTH.gtin);
  });

  test('keeps brackets of a lot code that are no element', () => {
    expect(lotCodeOf('(01)07891000100103(10)L(A)1')).toBe('L(A)1');
  });
});

test.each(['https://id.gs1.org/01/07891000100103/10/L%', 'http://[/01/07891000100103'])(
  '%j is no label, and keeps nobody from going on',
  (scanned) => {
    expect([readLabel(scanned), lotCodeOf(scanned), productCodeOf(scanned)]).toEqual([undefined, scanned, scanned]);
  },
);

test.each(['I260923-ING-001', '0107891000100103', '7891000100103', '(10) pães', 'http://', ''])(
  '%j is a code that somebody typed',
  (typed) => {
    expect(readLabel(typed)).toBeUndefined();
    expect(lotCodeOf(` ${typed} `)).toBe(typed.trim());
  },
);
