/**
 * XML as the layout wants it, and already in canonical form: no white space between tags, no empty tags, `& < >` as entities. What is signed
 * is so the very text that is sent.
 */

const REPLACEMENTS: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
  '€': 'EUR',
  '•': '-',
  '™': '(TM)',
  Œ: 'OE',
  œ: 'oe',
  Š: 'S',
  š: 's',
  Ž: 'Z',
  ž: 'z',
  Ÿ: 'Y',
};

/** What needs no change but for its length: words of ASCII with single blanks between them, which most texts are. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
const FOREIGN = /[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff]+/gu;

/** What the layout takes of a text: Latin letters of one byte, single blanks, none at the edges, at most so many characters. */
export function layoutText(text: string, maximum: number): string {
  if (text.length <= maximum && PLAIN.test(text)) return text;
  const latin = text
    .normalize('NFC')
    .replace(/[^\u0000-\u00ff]/gu, (character) => REPLACEMENTS[character] ?? plainLetter(character))
    .replace(FOREIGN, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return latin.slice(0, maximum).trim();
}

/** Letters without accents and the like. */
export const withoutMarks = (text: string): string => text.normalize('NFD').replace(/\p{Mark}/gu, '');

/** A letter without the marks that one byte has no room for. */
function plainLetter(character: string): string {
  const plain = withoutMarks(character.normalize('NFKD'));
  return /^[\u0020-\u00ff]+$/u.test(plain) ? plain : '';
}

const escapeXml = (text: string): string =>
  /[&<>]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;

/** An element with markup inside. */
export const group = (name: string, ...content: readonly string[]): string => `<${name}>${content.join('')}</${name}>`;

/** An element with a text inside. */
export const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;

/** The element, unless there is nothing to say. */
export const optional = (name: string, text: string | null | undefined): string =>
  text === null || text === undefined || text === '' ? '' : element(name, text);
