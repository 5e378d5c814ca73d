/** What many texts of JSON say, null where there is none: one text of many is read in half the time of so many texts. */
export const readTogether = (texts: readonly (string | undefined)[]): unknown =>
  JSON.parse(`[${texts.map((text) => text ?? 'null').join(',')}]`);
