import type { SaleDocument } from '../../../../projections/sales/sales.js';
import type { StoreDirectory } from '../../contracts/feature.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Reply } from '../../../kernel/routes/route.js';
import type { CardFeeBook } from '../../contracts/card-fee-book.js';
import type { Catalogue } from '../../contracts/catalogue.js';
import type { CustomerDirectory } from '../../contracts/customer-directory.js';
import type { DocumentsOfSales } from '../../contracts/sales-to-tax.js';
import type { LotCodeLookup } from '../lot-code-lookup.js';
import { withCosts } from './costs.js';

/** What the routes of sales work with. */
export interface SaleServices {
  readonly catalogue: Catalogue;
  readonly customers: CustomerDirectory;
  readonly cardFees: CardFeeBook;
  readonly lotCodes: LotCodeLookup;
  readonly stores: StoreDirectory;
  readonly documents: DocumentsOfSales;
}

export const viewing = { tag: 'Sales', permission: 'sales.view' } as const;
export const selling = { tag: 'Sales', permission: 'sales.manage' } as const;

/** What an answer says of a sale; what it cost is left out until it is known who asks. */
const shownSale = (sale: SaleDocument) => ({
  id: sale.id,
  customerId: sale.customerId,
  number: sale.number,
  status: sale.status,
  locationId: sale.locationId,
  occurredAt: sale.occurredAt,
  items: sale.items,
  payments: sale.payments,
  total: sale.total,
  returnedTotal: sale.returnedTotal,
  returns: sale.returns,
  cancelledAt: sale.cancelledAt,
  cancelReason: sale.cancelReason,
  createdBy: sale.createdBy,
  createdAt: sale.createdAt,
  updatedAt: sale.updatedAt,
  cost: undefined,
  margin: undefined,
});

/** A sale as facts make it, with its entity tag. */
export function documentReply(context: RequestContext, sale: SaleDocument | undefined): Reply {
  if (!sale) throw new Rejection(NOT_FOUND);
  return { body: withCosts(context, shownSale(sale), sale.costs), etag: sale.revision };
}
