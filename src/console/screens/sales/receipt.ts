import { useIsPrinting } from '../../parts/printing.js';

/** On paper the page of a sale is a receipt for the customer, and tells nothing that is the store's own; but for who prints why a cost is so. */
export const useIsReceipt = (): boolean => useIsPrinting() && document.querySelector('dialog[open]') === null;
