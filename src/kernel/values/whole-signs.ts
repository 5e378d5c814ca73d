/** Whether it is the second half of a sign, such as a picture's. */
const isHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Where a text ends that is cut to so many characters: before a sign of which only one half would be left. */
export const endOfWholeSigns = (text: string, most: number): number =>
  isHalf(text.charCodeAt(most)) ? most - 1 : most;

export const cutTo = (text: string, most: number): string => text.slice(0, endOfWholeSigns(text, most));
