import { rejection } from '../../kernel/events/rejection.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import type { Decimal } from '../../kernel/values/decimal.js';

export const CARD_BRAND_INACTIVE = rejection(400, 'CARD_BRAND_INACTIVE', 'The card brand is not accepted any more');
export const TOO_MANY_INSTALLMENTS = rejection(400, 'TOO_MANY_INSTALLMENTS', 'More instalments than the store allows');

/** A payment with a card, as a sale asks for its fee. */
export interface CardPayment {
  readonly amount: Decimal;
  readonly cardBrandId: string | null;
  readonly cardType: 'debit' | 'credit';
  readonly installments: number;
  /** Where in the request it stands. */
  readonly path: string;
}

/** What a card payment costs, and why. */
export interface PaymentFee {
  readonly feePercent: Decimal | null;
  readonly fee: Decimal | null;
  /** No rate is known for it. */
  readonly feePending: boolean;
  readonly feeTerms: {
    /** Null while there is no machine. */
    readonly accountId: string | null;
    readonly accountName: string | null;
    /** Whose rate it is: the brand's own on the machine, the machine's general one, none because fees are off or none is set. */
    readonly source: 'BRAND' | 'GENERAL' | 'OFF' | 'NONE';
    readonly fixedFee: Decimal;
  };
}

/** How invoices name the parties of a card payment. */
interface CardParties {
  readonly brandName: string | null;
  /** Two digits. */
  readonly tBand: string | null;
  readonly acquirerTaxId: string | null;
  readonly terminalId: string | null;
}

/** Machines, brands and rates as other parts see them, at their stream's head. */
export interface CardFeeBook {
  /** One fee a payment, in their order. Refuses a brand that is unknown or inactive, and too many instalments; never for want of a rate. */
  feesOf(context: Commands, payments: readonly CardPayment[]): Promise<readonly PaymentFee[]>;
  partiesOf(
    context: Commands,
    payment: { readonly cardBrandId: string | null; readonly accountId: string | null },
  ): Promise<CardParties>;
}
