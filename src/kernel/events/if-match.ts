/** The revisions of a record that a command may have been based on; undefined when any will do. */
export type IfMatch = readonly number[] | undefined;

export const matches = (ifMatch: IfMatch, revision: number): boolean =>
  ifMatch === undefined || ifMatch.includes(revision);
