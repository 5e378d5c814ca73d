/** How sentences tell what goods are counted in. */

/** Pieces: a bare number says so. */
const PIECES: ReadonlySet<string> = new Set(['', 'UN', 'UND', 'UNID', 'PC']);
/** Measures have signs of their own; other units, such as CX, are written as the product has them. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['KG', 'kg'],
  ['G', 'g'],
  ['MG', 'mg'],
  ['T', 't'],
  ['ML', 'mL'],
  ['M', 'm'],
  ['CM', 'cm'],
  ['MM', 'mm'],
  ['M2', 'm²'],
  ['M3', 'm³'],
]);
const OF = { pt: 'de', en: 'of' } as const;

/** What comes after a number of goods: ` kg`, or nothing for pieces. */
export const unitWritten = (unit: string): string => (PIECES.has(unit) ? '' : ` ${SIGNS.get(unit) ?? unit}`);

/** The same with their name: ` kg de Farinha`, ` × Pão`. */
export const goodsWritten = (language: 'pt' | 'en', unit: string, name: string): string =>
  PIECES.has(unit) ? ` × ${name}` : `${unitWritten(unit)} ${OF[language]} ${name}`;
