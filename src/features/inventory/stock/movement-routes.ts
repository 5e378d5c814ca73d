import { z } from 'zod';
import { lots } from '../../../../projections/inventory/lots.js';
import { TABLE_FORMATS, TABLE_TYPES, tableReply } from '../../../kernel/files/table.js';
import { isoRange } from '../../../kernel/values/days.js';
import type { Decimal } from '../../../kernel/values/decimal.js';
import { id } from '../../../kernel/values/fields.js';
import { listAnswer, listQuery } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import { movementAnswer } from './answers.js';
import { hiddenLots, producedVariants } from './costs.js';
import type { LedgerQuery, LedgerRow } from './ledger.js';
import { ledgerPage, ledgerRows } from './ledger.js';
import { movementColumns } from './movement-table.js';
import type { StockServices } from './services.js';
import { viewing } from './services.js';

const query = listQuery.extend({
  variantId: id.optional(),
  locationId: id.optional(),
  lotId: id.optional(),
  format: z.enum(TABLE_FORMATS).default('json').meta({ description: 'csv and xlsx hold all rows, without pages' }),
});

type Movement = z.output<typeof movementAnswer>;

/** Rows with the names of what they speak of, and their money as far as the asker may see it. */
async function shownRows(
  { catalogue, locations }: StockServices,
  context: RequestContext,
  rows: readonly LedgerRow[],
): Promise<readonly Movement[]> {
  const lotIds = [...new Set(rows.flatMap(({ row: { lotId } }) => lotId ?? []))];
  const variantIds = [...new Set(rows.map(({ row }) => row.variantId))];
  const [labels, places, columns, hidden, produced] = await Promise.all([
    catalogue.labels(context, variantIds),
    locations.names(context),
    context.reads.getColumns(lots, lotIds, ['lotCode']),
    hiddenLots(context, lotIds),
    producedVariants(context, variantIds),
  ]);
  const lotsById = new Map(lotIds.map((lotId, index) => [lotId, columns[index]]));
  return rows.map(({ row, lotBalance }): Movement => {
    const { id: rowId, variantId, locationId, lotId, quantity, balance, value, ...rest } = row;
    const lot = lotsById.get(lotId ?? '');
    const label = labels.get(variantId);
    const isFound = rest.kind === 'ADJUSTMENT' && quantity.isPositive;
    const isHidden = ((lotId === null || isFound) && produced.has(variantId)) || hidden.has(lotId ?? '');
    return {
      id: rowId,
      variantId,
      description: label?.description ?? null,
      sku: label?.sku ?? null,
      gtin: label?.gtin ?? null,
      unit: label?.saleUnit ?? null,
      lotId,
      lotCode: (lot?.lotCode ?? null) as string | null,
      locationId,
      location: places.get(locationId) ?? null,
      quantity: quantity.toNumber(),
      balance: balance.toNumber(),
      ...(lotBalance ? { lotBalance: lotBalance.toNumber() } : {}),
      ...(isHidden ? {} : moneyOf(quantity, value)),
      at: rest.at,
      kind: rest.kind,
      sourceKind: rest.sourceKind,
      sourceId: rest.sourceId,
      reason: rest.reason,
      by: rest.by,
    };
  });
}

const moneyOf = (quantity: Decimal, value: Decimal) => ({
  value: value.toNumber(),
  unitCost: quantity.isZero ? 0 : value.dividedBy(quantity).toNumber(),
});

async function* allRows(
  services: StockServices,
  context: RequestContext,
  asked: Omit<LedgerQuery, 'cursor' | 'limit'>,
) {
  for await (const rows of ledgerRows(context, asked)) yield await shownRows(services, context, rows);
}

export const listMovements = (services: StockServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/stock/movements',
    summary: 'Lists the ledger: every movement with its money, its reason and the running balances, newest first',
    description:
      'SETTLEMENT rows say which goods made good what was owed: out of their lot at what they cost, and off the debt at what that was owed at; they leave the balance as it was. Of one lot (`lotId`) each row has `lotBalance`, what was left of it at all locations, or at the one that is asked for. Values of what production made need production.costs.',
    request: { query },
    response: { status: 200, schema: listAnswer(movementAnswer), alternatives: TABLE_TYPES },
    async handle({ query: { format, cursor, limit, ...asked } }, context) {
      const timeZone = await timeZoneOf(services.stores, context.storeId);
      const wanted = { ...asked, from: undefined, to: undefined, ...isoRange(asked, timeZone) };
      if (format !== 'json') {
        const rows = allRows(services, context, wanted);
        return tableReply(
          format,
          { fileName: 'ledger', title: 'Movimentos', columns: movementColumns, rows },
          timeZone,
        );
      }
      const page = await ledgerPage(context, { ...wanted, cursor, limit });
      const items = await shownRows(services, context, page.rows);
      return { body: { items, nextCursor: page.nextCursor } };
    },
  });
