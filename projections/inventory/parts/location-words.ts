/** What lies at a location are the records with this word. */
export const wordOfLocation = (locationId: string): string => locationId.replaceAll('-', '');
