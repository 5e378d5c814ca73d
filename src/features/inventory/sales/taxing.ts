import type { LotDocument } from '../../../../projections/inventory/lots.js';
import { lots as lotRecords } from '../../../../projections/inventory/lots.js';
import { sales } from '../../../../projections/sales/sales.js';
import type { Recorded } from '../../../kernel/events/event.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { dayOf } from '../../../kernel/values/days.js';
import type { StoreDirectory } from '../../contracts/feature.js';
import type {
  Holder,
  Release,
  SaleToTax,
  SalesToTax,
  TaxedLine,
  TaxedLot,
  TaxedPayment,
} from '../../contracts/sales-to-tax.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { VaultWrite } from '../../../ports/vault.js';
import { inventory } from '../decider.js';
import type { InventoryEvent, Payment } from '../events.js';
import { historyOf, recordOf, withHistory } from '../history-lookup.js';
import type { KnownHistory } from '../ledger/known-history.js';
import { saleKey } from '../ledger/touched-revisions.js';
import type { LineAccount, SaleAccount } from './domain/sale-account.js';
import { saleAccount } from './domain/sale-account.js';
import { isHeldFor } from './domain/sale-taxing.js';
import { left } from './domain/sale-returns.js';

type Past = KnownHistory<Recorded<InventoryEvent>>;

/** Sales for those who tax them: read, held and released at their stream's head. */
export class TaxedSales implements SalesToTax {
  /** What the sales that were read follow from. */
  private readonly pasts = new WeakMap<SaleToTax, Past>();

  constructor(private readonly stores: StoreDirectory) {}

  async read(context: RequestContext, saleId: string): Promise<SaleToTax | undefined> {
    const past = await pastOf(context, saleId);
    const account = accountOf(past, saleId);
    const sale = account && (await this.saleOf(context, account));
    if (sale) this.pasts.set(sale, past);
    return sale;
  }

  async hold(
    context: RequestContext,
    read: SaleToTax,
    holder: Holder,
    rows: readonly VaultWrite[],
  ): Promise<SaleToTax> {
    const { saleId } = read;
    let known = this.pasts.get(read);
    return withHistory(
      async () => {
        const past = known ?? (await pastOf(context, saleId));
        const isAsRead = past === known;
        known = undefined; // where it was overtaken it is looked up anew
        const command = { type: 'holdSale', saleId, ...holder, past } as const;
        const { events } = await context.execute(inventory, command, { name: holdOf(holder), rows });
        if (isAsRead) return read;
        const after = events.map((event) => ({ revision: event.revision, event }));
        const account = accountOf({ ...past, events: [...past.events, ...after] }, saleId);
        if (!account) throw new Rejection(NOT_FOUND);
        return this.saleOf(context, account);
      },
      recordOf(context, saleId),
    );
  }

  async release(context: RequestContext, saleId: string, documentId: string, of: Release = {}): Promise<boolean> {
    const { heir = null, attempt, rows } = of;
    return withHistory(
      async () => {
        const past = await pastOf(context, saleId);
        const account = accountOf(past, saleId);
        if (!account || account.cancelled || account.heldBy !== documentId) return true;
        if (!isHeldFor(account, documentId, attempt)) return false;
        const command = { type: 'releaseSale', saleId, documentId, heir, attempt, past } as const;
        await context.execute(inventory, command, { name: `release ${documentId}`, rows });
        return true;
      },
      recordOf(context, saleId),
    );
  }

  private async saleOf(context: RequestContext, account: SaleAccount): Promise<SaleToTax> {
    const { sale, cancelled, heldBy, heldBefore, heldFor } = account;
    const open = account.lines.filter((line) => left(line).isPositive);
    const lots = await this.lotsOf(context, open);
    return {
      saleId: sale.saleId,
      number: sale.number,
      customerId: sale.customerId,
      lines: open.map((line) => lineOf(line, lots)),
      kits: sale.kits,
      payments: sale.payments.map(paymentOf),
      cancelled,
      heldBy,
      heldBefore,
      heldFor,
    };
  }

  /** The days of the lots that were made here, which alone have a known day of making. */
  private async lotsOf(context: RequestContext, lines: readonly LineAccount[]): Promise<ReadonlyMap<string, Days>> {
    const dated = lines.flatMap(({ outstanding }) =>
      outstanding.flatMap(({ takes }) =>
        takes.filter(({ lotCode, expiresAt }) => lotCode !== null && expiresAt !== null).map(({ lotId }) => lotId),
      ),
    );
    if (dated.length === 0) return new Map();
    const timeZone = await timeZoneOf(this.stores, context.storeId);
    const stored = await context.reads.getMany(lotRecords, [...new Set(dated)]);
    return new Map(
      stored.flatMap(({ id, body }) => {
        const { origin, receivedAt, expiresAt } = JSON.parse(body) as LotDocument;
        if (origin !== 'PRODUCTION' || expiresAt === null) return [];
        const day = (moment: string) => dayOf(Date.parse(moment), timeZone);
        return [[id, { madeOn: day(receivedAt), expiresOn: lastDay(expiresAt, timeZone) }] as const];
      }),
    );
  }
}

const holdOf = ({ documentId, attempt }: Holder): string =>
  attempt === 1 ? `hold ${documentId}` : `hold ${documentId} ${String(attempt)}`;

interface Days {
  readonly madeOn: string;
  readonly expiresOn: string;
}

/** An expiry ends with its day: the moment itself is the next day's first. */
const lastDay = (expiresAt: string, timeZone: string): string => dayOf(Date.parse(expiresAt) - 1, timeZone);

function pastOf(context: RequestContext, saleId: string): Promise<Past> {
  const begins = (event: InventoryEvent): boolean => event.type === 'SaleCompleted' && event.data.saleId === saleId;
  return historyOf(context, { key: saleKey(saleId), id: saleId, collection: sales, begins });
}

const accountOf = ({ events }: Past, saleId: string): SaleAccount | undefined =>
  saleAccount(
    events.map(({ event }) => event),
    saleId,
  );

function lineOf(account: LineAccount, days: ReadonlyMap<string, Days>): TaxedLine {
  const { line, refunded, outstanding } = account;
  const { variantId, description, unit, unitPrice, total } = line;
  const lots = outstanding.flatMap(({ variantId: taken, takes }) =>
    takes.flatMap(({ lotId, lotCode, quantity }): TaxedLot[] => {
      const known = days.get(lotId);
      return known && lotCode !== null ? [{ variantId: taken, code: lotCode, quantity, ...known }] : [];
    }),
  );
  return {
    variantId,
    description,
    unit,
    unitPrice,
    lots,
    quantity: left(account),
    total: total.minus(refunded),
  };
}

function paymentOf(payment: Payment): TaxedPayment {
  const { method, amount, cardBrandId, installments } = payment;
  const { tendered, authorizationCode, endToEndId, description, feeTerms } = payment;
  const accountId = feeTerms?.accountId ?? null;
  return { method, amount, cardBrandId, accountId, installments, tendered, authorizationCode, endToEndId, description };
}
