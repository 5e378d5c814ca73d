import type { Decimal } from '../../../kernel/values/decimal.js';
import type { State } from '../../../brazil/states.js';
import type { Environment, TaxRegime } from '../../contracts/fiscal-settings.js';
import type { Model } from '../events.js';
import type { TaxRule } from './tax-rules.js';

/** A fiscal document before it is written as XML: everything that it says, nothing that is still to be looked up. */

export interface Address {
  readonly street: string;
  readonly number: string;
  readonly complement: string | null;
  readonly district: string;
  /** The statistics office's code: seven digits, the first two are the state's. */
  readonly cityCode: string;
  readonly city: string;
  readonly state: State;
  readonly postalCode: string;
  readonly phone: string | null;
}

export interface Issuer {
  readonly taxId: string;
  readonly legalName: string;
  readonly tradeName: string;
  readonly stateRegistration: string;
  readonly regime: TaxRegime;
  readonly address: Address;
}

export interface Recipient {
  readonly document: string;
  readonly name: string | null;
  /** Digits of a taxpayer; `ISENTO` of an exempt one; null of anybody else. */
  readonly stateRegistration: string | null;
  readonly address: Address | null;
  readonly email: string | null;
}

export interface TechnicalContact {
  readonly taxId: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

/** Goods of one lot that left for an item. */
export interface ItemLot {
  readonly code: string;
  readonly quantity: Decimal;
  /** Days. */
  readonly madeOn: string;
  readonly expiresOn: string;
}

export interface NoteItem {
  readonly code: string;
  readonly gtin: string | null;
  readonly description: string;
  readonly ncm: string | null;
  readonly cest: string | null;
  readonly unit: string;
  readonly quantity: Decimal;
  readonly unitPrice: Decimal;
  /** quantity × unitPrice, in cents. */
  readonly gross: Decimal;
  readonly discount: Decimal;
  /** IPI: with it gross − discount is what was paid for it. */
  readonly industryTax: Decimal;
  readonly taxedUnit: { readonly unit: string; readonly quantity: Decimal; readonly price: Decimal } | null;
  readonly netWeightKg: Decimal | null;
  readonly tareKg: Decimal | null;
  readonly volumeSpecies: string | null;
  readonly lots: readonly ItemLot[];
  readonly rule: TaxRule;
}

export interface NotePayment {
  /** The layout's code. */
  readonly code: string;
  readonly description: string | null;
  readonly amount: Decimal;
  readonly later: boolean;
  readonly card: {
    readonly brand: string | null;
    readonly authorization: string | null;
    readonly acquirerTaxId: string | null;
  } | null;
}

export interface Note {
  readonly model: Model;
  readonly environment: Environment;
  readonly issuer: Issuer;
  readonly recipient: Recipient | null;
  readonly items: readonly NoteItem[];
  readonly payments: readonly NotePayment[];
  readonly change: Decimal;
  readonly technicalContact: TechnicalContact | null;
}

/** What one emission of a note has beside it: fixed together, before anything leaves. */
export interface Emission {
  readonly series: number;
  readonly number: number;
  readonly randomCode: string;
  readonly accessKey: string;
  readonly emissionType: number;
  /** Local, with its offset. */
  readonly issuedAt: string;
  /** The day of it. */
  readonly issuedOn: string;
  readonly contingency: { readonly since: string; readonly reason: string } | null;
}
