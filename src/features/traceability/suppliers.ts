import type { RequestContext } from '../../kernel/routes/request-context.js';
import { endReader } from './edges.js';
import type { Reached } from './graph-walk.js';
import { MAX_DEPTH, walk } from './graph-walk.js';
import type { LotRecord } from './lots.js';
import { lotsById } from './lots.js';
import type { Found } from './found-lots.js';

/** One step back: who delivered the lots of a recall, or what was used to make them. */
export interface Supplier {
  readonly supplier: string | null;
  readonly document: string | null;
  readonly receiptId: string;
  readonly receivedAt: string;
  readonly lotCodes: readonly string[];
}

const NOTHING: Reached = { lots: new Map(), orders: new Map() };

/** A row for each receipt, the oldest first, and the way back to what was used. */
export async function suppliersOf(
  context: RequestContext,
  { matched }: Pick<Found, 'matched'>,
): Promise<{ readonly suppliers: readonly Supplier[]; readonly inputs: Reached }> {
  const made = matched.filter(({ origin }) => origin === 'PRODUCTION').map(({ lotId }) => lotId);
  const inputs = made.length === 0 ? NOTHING : await walk(endReader(context), made, 'backward', MAX_DEPTH);
  const received = [...matched, ...(await lotsUsed(context, made, inputs))].filter(
    ({ receiptId }) => receiptId !== null,
  );
  const byReceipt = new Map<string, Supplier>();
  for (const { receiptId, supplier, document, receivedAt, lotCode } of received) {
    if (receiptId === null) continue;
    const known = byReceipt.get(receiptId)?.lotCodes ?? [];
    const lotCodes = lotCode === null || known.includes(lotCode) ? known : [...known, lotCode];
    byReceipt.set(receiptId, { supplier, document, receiptId, receivedAt, lotCodes });
  }
  const suppliers = [...byReceipt.values()].sort((a, b) => (a.receivedAt < b.receivedAt ? -1 : 1));
  return { suppliers, inputs };
}

async function lotsUsed(
  context: RequestContext,
  made: readonly string[],
  { lots }: Reached,
): Promise<readonly LotRecord[]> {
  const used = [...lots.keys()].filter((lotId) => !made.includes(lotId));
  return [...(await lotsById(context, used)).values()];
}
