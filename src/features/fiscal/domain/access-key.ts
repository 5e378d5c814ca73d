/** The 44 characters that name a fiscal document in the whole country. */

interface KeyParts {
  /** The state's code: two digits. */
  readonly stateCode: string;
  /** The day of issue in the store's time zone: YYYY-MM-DD. */
  readonly issuedOn: string;
  readonly taxId: string;
  readonly model: number;
  readonly series: number;
  readonly number: number;
  readonly emissionType: number;
  readonly randomCode: string;
}

const HIGHEST_WEIGHT = 9;
const ZERO_CODE = 48;

/** Modulo 11 with the weights 2 to 9 from the right; a letter counts as its distance from the digit 0. */
function keyCheckDigit(text: string): string {
  let sum = 0;
  for (let index = 0; index < text.length; index++) {
    sum += (text.charCodeAt(index) - ZERO_CODE) * (2 + ((text.length - 1 - index) % (HIGHEST_WEIGHT - 1)));
  }
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}

export function accessKey(parts: KeyParts): string {
  const { stateCode, issuedOn, taxId, model, series, number, emissionType, randomCode } = parts;
  const yearAndMonth = issuedOn.slice(2, 4) + issuedOn.slice(5, 7);
  const open = [
    stateCode,
    yearAndMonth,
    taxId.padStart(14, '0'),
    String(model),
    String(series).padStart(3, '0'),
    String(number).padStart(9, '0'),
    String(emissionType),
    randomCode,
  ].join('');
  return open + keyCheckDigit(open);
}

/** The month in which it was issued: YYYY-MM. */
export const monthOfKey = (key: string): string => `20${key.slice(2, 4)}-${key.slice(4, 6)}`;

/** As it is printed: in groups of four. */
export const keyInGroups = (key: string): string => key.replace(/(.{4})(?=.)/g, '$1 ');

const RUN = '01234567890123456789';

/** Whether the layout takes it as random: neither the number itself, nor one digit throughout, nor a run. */
const isRandomCode = (code: string, number: number): boolean =>
  /^[0-9]{8}$/.test(code) && Number(code) !== number && !/^(.)\1*$/.test(code) && !RUN.includes(code);

/** The first of some random numbers that the layout takes, counted up where one does not do. */
export function randomCode(random: number, number: number): string {
  for (let candidate = random % 100_000_000; ; candidate = (candidate + 7_919) % 100_000_000) {
    const code = String(candidate).padStart(8, '0');
    if (isRandomCode(code, number)) return code;
  }
}
