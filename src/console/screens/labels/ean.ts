/** The bars of an EAN-13 or EAN-8 as a row of 0 and 1, as the GS1 General Specifications lay them out. */

const LEFT = [
  '0001101',
  '0011001',
  '0010011',
  '0111101',
  '0100011',
  '0110001',
  '0101111',
  '0111011',
  '0110111',
  '0001011',
];
const RIGHT = LEFT.map((code) => code.replace(/[01]/g, (bit) => (bit === '0' ? '1' : '0')));
const MIRRORED = RIGHT.map((code) => Array.from(code).reverse().join(''));
/** Which of the first six digits are mirrored tells the very first digit. */
const PARITIES = ['LLLLLL', 'LLGLGG', 'LLGGLG', 'LLGGGL', 'LGLLGG', 'LGGLLG', 'LGGGLL', 'LGLGLG', 'LGLGGL', 'LGGLGL'];

const GUARD = '101';
const MIDDLE = '01010';

const coded = (digits: string, table: readonly string[]): string =>
  Array.from(digits, (digit) => table[Number(digit)] ?? '').join('');

export function barsOf(gtin: string): string | undefined {
  if (/^\d{8}$/.test(gtin)) return GUARD + coded(gtin.slice(0, 4), LEFT) + MIDDLE + coded(gtin.slice(4), RIGHT) + GUARD;
  const code = /^0\d{13}$/.test(gtin) ? gtin.slice(1) : /^\d{12}$/.test(gtin) ? `0${gtin}` : gtin;
  if (!/^\d{13}$/.test(code)) return undefined;
  const parity = PARITIES[Number(code[0])] ?? '';
  const left = Array.from(
    code.slice(1, 7),
    (digit, place) => (parity[place] === 'G' ? MIRRORED : LEFT)[Number(digit)] ?? '',
  ).join('');
  return GUARD + left + MIDDLE + coded(code.slice(7), RIGHT) + GUARD;
}
