/** How far the clock of this device goes ahead of the service's, by an answer that has just come; 0 where that does not tell. */
export const aheadOf = ({ headers }: Response): number => Date.now() - Date.parse(headers.get('date') ?? '') || 0;
