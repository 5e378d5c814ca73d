/** Code 128: pairs of digits where there are only digits, single characters elsewhere. */

const PATTERNS =
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112';
const BARS = PATTERNS.split(' ');

const START_B = 104;
const START_C = 105;
const TO_B = 100;
const TO_C = 99;
const STOP = 106;
const FIRST_CHARACTER = 32;
const CHECKSUM = 103;

/** Widths of bars and gaps in turn, beginning with a bar. */
export function code128(text: string): readonly number[] {
  const values = valuesOf(text);
  const sum = values.reduce((total, value, index) => total + value * Math.max(1, index), 0);
  return [...values, sum % CHECKSUM, STOP].flatMap((value) => Array.from(BARS[value] ?? '', Number));
}

function valuesOf(text: string): number[] {
  const values: number[] = [];
  let inPairs: boolean | undefined;
  for (let at = 0; at < text.length;) {
    const pairs = /^[0-9]+/.exec(text.slice(at))?.[0].length ?? 0;
    const usePairs = pairs >= 4 || (inPairs === true && pairs >= 2);
    if (usePairs !== inPairs) {
      values.push(inPairs === undefined ? (usePairs ? START_C : START_B) : usePairs ? TO_C : TO_B);
      inPairs = usePairs;
    }
    if (usePairs) {
      values.push(Number(text.slice(at, at + 2)));
      at += 2;
    } else {
      values.push(text.charCodeAt(at) - FIRST_CHARACTER);
      at += 1;
    }
  }
  return values;
}
