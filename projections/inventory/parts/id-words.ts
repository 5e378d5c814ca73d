/** An id as one word, by which records that name it are found. */
export const wordOfId = (id: string): string => id.replaceAll('-', '');
