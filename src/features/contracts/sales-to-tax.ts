import { z } from 'zod';
import { rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { VaultWrite } from '../../ports/vault.js';
import type { Decimal } from '../../kernel/values/decimal.js';

/** Sales as fiscal documents see them. */

const named = { documentId: z.uuid().meta({ description: 'The document that is in the way' }) };

export const DOCUMENT_EXISTS = rejection(409, 'DOCUMENT_EXISTS', 'The sale has a live fiscal document already', named);
export const NOTHING_TO_TAX = rejection(409, 'NOTHING_TO_TAX', 'Nothing of the sale is left to be taxed');

export const SALE_CANCELLED = rejection(409, 'SALE_CANCELLED', 'The sale is cancelled');
export const DOCUMENT_LIVE = rejection(
  409,
  'DOCUMENT_LIVE',
  'A fiscal document of the sale is on its way: wait for its end, or cancel it',
  named,
);
export const DOCUMENT_AUTHORIZED = rejection(
  409,
  'DOCUMENT_AUTHORIZED',
  'The sale has an authorized fiscal document: cancel the document first',
  named,
);

/** Goods of one lot; where both of its days are known. */
export interface TaxedLot {
  readonly variantId: string;
  readonly code: string;
  readonly quantity: Decimal;
  readonly madeOn: string;
  readonly expiresOn: string;
}

export interface TaxedLine {
  readonly variantId: string;
  /** As they were when it was sold. */
  readonly description: string;
  readonly unit: string;
  readonly unitPrice: Decimal;
  /** Both without what was returned. */
  readonly quantity: Decimal;
  readonly total: Decimal;
  readonly lots: readonly TaxedLot[];
}

/** What one of a kit takes of a part, and what one of the part costs alone. */
export interface KitPart {
  readonly variantId: string;
  readonly quantity: Decimal;
  readonly priceCash: Decimal;
}

export interface TaxedPayment {
  readonly method: 'CASH' | 'DEBIT' | 'CREDIT' | 'PIX' | 'OTHER';
  readonly amount: Decimal;
  readonly cardBrandId: string | null;
  /** The machine that took the card; null where none is known. */
  readonly accountId: string | null;
  readonly installments: number | null;
  /** Handed over in cash; the rest is the change. */
  readonly tendered: Decimal | null;
  readonly authorizationCode: string | null;
  readonly endToEndId: string | null;
  readonly description: string | null;
}

/** A sale as it stands, net of what was returned. */
export interface SaleToTax {
  readonly saleId: string;
  readonly number: number;
  readonly customerId: string | null;
  readonly lines: readonly TaxedLine[];
  /** How the kits among the lines, and among their parts, were made up; undefined where nothing says so. */
  readonly kits: readonly { readonly variantId: string; readonly parts: readonly KitPart[] }[] | undefined;
  readonly payments: readonly TaxedPayment[];
  readonly cancelled: boolean;
  /** The document that it is being taxed with, or was; null where none holds it. */
  readonly heldBy: string | null;
  /** The document whose place the holder took; null where it took none's. */
  readonly heldBefore: string | null;
  /** Which attempt of the holder it is held for; 0 where nothing says so. */
  readonly heldFor: number;
}

/** Which document is to hold a sale. */
export interface Holder {
  readonly documentId: string;
  /** The one that it may take the place of. */
  readonly insteadOf: string | null;
  /** Which time the document is signed. */
  readonly attempt: number;
}

/** How a sale is let go. */
export interface Release {
  /** The document that holds it from now on. */
  readonly heir?: string;
  /** What came to nothing: where the document is being signed once more it keeps the sale. */
  readonly attempt?: number;
  /** Stored with the fact that the sale is let go. */
  readonly rows?: readonly VaultWrite[];
}

/**
 * Issuing a document and cancelling its sale exclude each other: before a number is taken the sale gets the fact that it is being taxed, and
 * it is released when the document ends otherwise than authorized.
 */
export interface SalesToTax {
  /** Undefined where the store has no such sale. */
  read(context: RequestContext, saleId: string): Promise<SaleToTax | undefined>;
  /**
   * Holds a sale that was read. Gives what was read where nothing has happened to it since, or else the sale as it stands now. Refuses a
   * cancelled sale, and one that another document holds.
   */
  hold(context: RequestContext, read: SaleToTax, holder: Holder, rows: readonly VaultWrite[]): Promise<SaleToTax>;
  /**
   * Unless another document is to hold it in its place, nobody holds the sale then. False where the document keeps it, as it is being signed
   * once more.
   */
  release(context: RequestContext, saleId: string, documentId: string, of?: Release): Promise<boolean>;
}

/** What a sale needs to know of the documents that hold it. */
export interface DocumentsOfSales {
  /** Undefined where nothing was ever recorded of the document. */
  statusOf(context: RequestContext, documentId: string): Promise<string | undefined>;
  /** What tax law keeps of a customer's sales. */
  keptOf(context: RequestContext, customerId: string): Promise<readonly KeptDocument[]>;
}

/** A fiscal document with a number: it outlives the person that it names. */
export interface KeptDocument {
  readonly id: string;
  readonly saleId: string;
  readonly model: number;
  readonly series: number;
  readonly number: number;
  readonly accessKey: string | null;
  readonly status: string;
}
