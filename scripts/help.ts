/** Whether somebody wants to know how a program is used, wherever they say so. */
export const asksForHelp = (words: readonly string[]): boolean =>
  words.some((word) => word === '--help' || word === '-h') || words[0] === 'help';
