/** Codes of digits are written with marks between them, as an NCM is `1905.90.90`: what is sent has none. */
export const withoutMarks = (text: string): string => text.replace(/[\s\u00a0./-]/g, '');
