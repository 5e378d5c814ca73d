import type { LotDocument } from '../../../../projections/inventory/lots.js';
import { lots } from '../../../../projections/inventory/lots.js';
import { stockMovements } from '../../../../projections/inventory/stock-movements.js';
import { isoRange } from '../../../kernel/values/days.js';
import { defined } from '../../../kernel/values/defined.js';
import { id } from '../../../kernel/values/fields.js';
import { listAnswer, listQuery } from '../../../kernel/routes/lists.js';
import type { RequestContext, Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import { movementAnswer } from './answers.js';
import type { StockServices } from './services.js';
import { viewing } from './services.js';

const query = listQuery.extend({
  variantId: id.optional(),
  locationId: id.optional(),
  lotId: id.optional(),
});

interface Span {
  readonly from?: string;
  readonly to?: string;
}

interface LotSpan extends Span {
  readonly variantId?: string;
}

/** A lot's rows stand among those of its variant, between its entry and its last movement. */
async function lotSpan(context: RequestContext, lotId: string): Promise<LotSpan | undefined> {
  const record = await context.reads.get(lots, lotId);
  if (!record) return undefined;
  const { variantId, receivedAt } = JSON.parse(record.body) as LotDocument;
  const { movedAt } = JSON.parse(record.hidden) as LotDocument;
  return { variantId, from: receivedAt, to: movedAt };
}

const later = (a: string | undefined, b: string | undefined): string | undefined => ((a ?? '') > (b ?? '') ? a : b);
const earlier = (a: string | undefined, b: string | undefined): string | undefined => ((a ?? '~') < (b ?? '~') ? a : b);

function common(asked: Span, lot: Span): Span {
  const from = later(asked.from, lot.from);
  const to = earlier(asked.to, lot.to);
  return defined({ from, to });
}

export const listMovements = ({ stores }: StockServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/stock/movements',
    summary: 'Lists the ledger: every movement with the running balance of its location, newest first',
    description:
      'SETTLEMENT rows say which goods made good what was owed: out of their lot, and off the debt; they leave the balance as it was.',
    request: { query },
    response: { status: 200, schema: listAnswer(movementAnswer) },
    async handle({ query: asked }, context) {
      const { cursor, limit, variantId, locationId, lotId } = asked;
      const lot: LotSpan | undefined = lotId === undefined ? {} : await lotSpan(context, lotId);
      const wanted = lot?.variantId ?? variantId;
      if (!lot || (variantId !== undefined && variantId !== wanted)) {
        return { body: { items: [], nextCursor: null } };
      }
      const span = common(isoRange(asked, await timeZoneOf(stores, context.storeId)), lot);
      const page = await context.reads.findRows(stockMovements, {
        equal: defined({ variantId: wanted, locationId, lotId }),
        range: { column: 'at', ...span },
        sort: { column: 'at', direction: 'desc' },
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      return { body: page };
    },
  });
