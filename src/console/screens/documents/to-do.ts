import type { FiscalDocument } from './remedies.js';

/** Whether a document that was refused or failed waits for somebody: not where another counts instead, or its number is being voided. */
export const isToDo = ({ replacedBy, voided }: Pick<FiscalDocument, 'replacedBy' | 'voided'>): boolean =>
  replacedBy === null && voided === null;
