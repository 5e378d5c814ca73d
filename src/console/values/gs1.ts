/** What a label says of goods, in the ways in which GS1 writes it: read aloud with brackets, as a scanner sends it, or as a link. */
interface LabelRead {
  readonly gtin?: string;
  readonly lotCode?: string;
}

/** Which scanner's mark stands before what was read. */
const SYMBOLOGY = /^\](?:C1|d2|Q3|e0)/;
const SEPARATOR = '\u001d';
/** Elements that end by their length: GTIN, and the days of making, packing, sale and expiry. */
const LENGTHS: Readonly<Record<string, number>> = { '00': 18, '01': 14, '02': 14, '11': 6, '13': 6, '15': 6, '17': 6 };
const GTIN = '01';
const LOT = '10';

type Elements = ReadonlyMap<string, string>;

/** `(01)07891000100103(17)261231(10)L-1`: a lot code may hold brackets itself, and then reaches up to the next known element. */
function bracketed(text: string): Elements {
  const marks = [...text.matchAll(/\((\d{2,4})\)/g)].filter(
    ({ 1: name = '' }) => name in LENGTHS || /^[123]\d/.test(name),
  );
  return new Map(
    marks.map((mark, place) => {
      const from = mark.index + mark[0].length;
      return [mark[1] ?? '', text.slice(from, marks[place + 1]?.index)] as const;
    }),
  );
}

function inARow(text: string): Elements {
  const found = new Map<string, string>();
  let rest = text;
  while (rest.length > 2) {
    const name = rest.slice(0, 2);
    const length = LENGTHS[name];
    const end = rest.indexOf(SEPARATOR);
    const until = length === undefined ? (end < 0 ? rest.length : end) : length + 2;
    found.set(name, rest.slice(2, until));
    rest = rest.slice(rest[until] === SEPARATOR ? until + 1 : until);
  }
  return found;
}

/** Undefined for a link that is written wrongly: anybody's label may hold one. */
function linked(text: string): Elements | undefined {
  try {
    return elementsOfLink(new URL(text));
  } catch {
    return undefined;
  }
}

function elementsOfLink({ pathname }: URL): Elements {
  const parts = pathname.split('/');
  const after = (name: string) => {
    const place = parts.indexOf(name);
    const value = place < 0 ? undefined : parts[place + 1];
    return value === undefined ? [] : [[name, decodeURIComponent(value)] as const];
  };
  return new Map([...after(GTIN), ...after(LOT)]);
}

function elementsOf(text: string): Elements | undefined {
  const sent = text.replace(SYMBOLOGY, '');
  if (/^https?:\/\/\S+\/01\/\d{8,14}(?:\/|$)/.test(sent)) return linked(sent);
  if (/^\(01\)\d{14}/.test(sent)) return bracketed(sent);
  // Without a mark, sixteen digits could be anybody's own code: only a second element tells.
  const isMarked = sent !== text || sent.includes(SEPARATOR);
  return isMarked || /^01\d{14}(?:1[1357]\d{6})?10./.test(sent) ? inARow(sent) : undefined;
}

/** Undefined for what is no such label: a code that somebody typed. */
export function readLabel(scanned: string): LabelRead | undefined {
  const elements = elementsOf(scanned.trim());
  const gtin = elements?.get(GTIN);
  const lotCode = elements?.get(LOT);
  if (gtin === undefined && lotCode === undefined) return undefined;
  return { ...(gtin === undefined ? {} : { gtin }), ...(lotCode === undefined ? {} : { lotCode }) };
}

/** The lot's code of what was typed or scanned. */
export const lotCodeOf = (typed: string): string => readLabel(typed)?.lotCode ?? typed.trim();

/** The product's code of what was typed or scanned. */
export const productCodeOf = (typed: string): string => readLabel(typed)?.gtin ?? typed.trim();
