const NCM = /^[0-9]{8}$/;
const NO_CHAPTERS = new Set(['00', '77', '98', '99']);

/** A code of the Mercosur nomenclature: eight digits in a chapter that holds goods. */
export const isNcm = (text: string | null): text is string =>
  text !== null && NCM.test(text) && !NO_CHAPTERS.has(text.slice(0, 2));
