import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Resting } from '../../ports/read-models.js';
import { endReader } from './edges.js';
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

/** A row for each receipt, the oldest first. */
export async function suppliersOf(
  context: RequestContext,
  { matched }: Pick<Found, 'matched'>,
  restsOn: Resting['about'],
): Promise<readonly Supplier[]> {
  const made = matched.filter(({ origin }) => origin === 'PRODUCTION').map(({ lotId }) => lotId);
  const inputs = made.length === 0 ? [] : await inputsOf(context, made, restsOn);
  const received = [...matched, ...inputs].filter(({ receiptId }) => receiptId !== null);
  const byReceipt = new Map<string, Supplier>();
  for (const { receiptId, supplier, document, receivedAt, lotCode } of received) {
    if (receiptId === null) continue;
    const known = byReceipt.get(receiptId)?.lotCodes ?? [];
    const lotCodes = lotCode === null || known.includes(lotCode) ? known : [...known, lotCode];
    byReceipt.set(receiptId, { supplier, document, receiptId, receivedAt, lotCodes });
  }
  return [...byReceipt.values()].sort((a, b) => (a.receivedAt < b.receivedAt ? -1 : 1));
}

async function inputsOf(
  context: RequestContext,
  made: readonly string[],
  restsOn: Resting['about'],
): Promise<readonly LotRecord[]> {
  const { lots, orders } = await walk(endReader(context), made, 'backward', MAX_DEPTH);
  restsOn([...lots.keys(), ...orders.keys()]);
  const inputs = [...lots.keys()].filter((lotId) => !made.includes(lotId));
  return [...(await lotsById(context, inputs)).values()];
}
