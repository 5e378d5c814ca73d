import type { CardPaymentsDocument, PaymentEntry } from '../../../../projections/card-fees/card-payments.js';
import { cardPayments } from '../../../../projections/card-fees/card-payments.js';
import type { SaleDocument, ShownPayment } from '../../../../projections/sales/sales.js';
import type { StoreReads } from '../../../kernel/routes/request-context.js';

type Reads = Pick<StoreReads, 'getMany'>;

/** A recalculated payment, with the document that explains its terms. */
interface Recalculated {
  readonly entry: PaymentEntry;
  readonly document: CardPaymentsDocument;
}

/** By sale, those payments whose fee is not the one that they were sold with. */
async function recalculatedAt(
  reads: Reads,
  places: readonly string[],
): Promise<ReadonlyMap<string, readonly Recalculated[]>> {
  const bySale = new Map<string, readonly Recalculated[]>();
  if (places.length === 0) return bySale;
  for (const { body } of await reads.getMany(cardPayments, [...new Set(places)])) {
    const document = JSON.parse(body) as CardPaymentsDocument;
    for (const [saleId, , , entries] of document.sales) {
      const changed = entries.filter((entry) => entry[5] !== undefined);
      if (changed.length > 0)
        bySale.set(
          saleId,
          changed.map((entry) => ({ entry, document })),
        );
    }
  }
  return bySale;
}

function withFee(payment: ShownPayment, { entry, document }: Recalculated): ShownPayment {
  const [, , , terms, fee, before] = entry;
  const applied = document.terms[terms];
  return {
    ...payment,
    fee,
    feePercent: applied?.feePercent ?? null,
    feePending: false,
    accountId: applied?.accountId ?? null,
    accountName: applied?.accountName ?? null,
    fixedFee: applied?.fixedFee ?? null,
    previousFee: before?.[0] ?? null,
    previousFeePercent: document.terms[before?.[1] ?? -1]?.feePercent ?? null,
  };
}

const withFees = <S extends Pick<SaleDocument, 'payments'>>(sale: S, changed: readonly Recalculated[]): S => ({
  ...sale,
  payments: sale.payments.map((payment, index) => {
    const found = changed.find(({ entry }) => entry[0] === index);
    return found ? withFee(payment, found) : payment;
  }),
});

/** A sale with the fees in force. */
export async function withFeesInForce(reads: Reads, sale: SaleDocument | undefined): Promise<SaleDocument | undefined> {
  if (!sale || sale.cardPlace === null) return sale;
  const changed = (await recalculatedAt(reads, [sale.cardPlace])).get(sale.id);
  return changed ? withFees(sale, changed) : sale;
}

/** Gives a sale with the fees in force, by the ids of those whose fees were recalculated. */
export async function recalculatedSales(
  reads: Reads,
  sales: readonly Pick<SaleDocument, 'cardPlace'>[],
): Promise<ReadonlyMap<string, (sale: SaleDocument) => SaleDocument>> {
  const places = sales.map(({ cardPlace }) => cardPlace).filter((place) => place !== null);
  const recalculated = await recalculatedAt(reads, places);
  return new Map([...recalculated].map(([saleId, changed]) => [saleId, (sale) => withFees(sale, changed)]));
}
