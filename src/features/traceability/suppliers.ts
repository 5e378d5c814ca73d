import type { RequestContext } from '../../kernel/routes/request-context.js';
import { knownWay, walkKnown } from './edges.js';
import { MAX_DEPTH } from './graph-walk.js';
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

/** The way back to what was used. */
type Inputs = Awaited<ReturnType<typeof walkKnown>>;

/** A row for each receipt, the oldest first, and the way back to what was used. */
export async function suppliersOf(
  context: RequestContext,
  { matched }: Pick<Found, 'matched'>,
): Promise<{ readonly suppliers: readonly Supplier[]; readonly inputs: Inputs }> {
  const made = matched.filter(({ origin }) => origin === 'PRODUCTION').map(({ lotId }) => lotId);
  const inputs = await walkKnown(knownWay(context, 'backward'), made, MAX_DEPTH);
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
  { lots }: Inputs,
): Promise<readonly LotRecord[]> {
  const used = lots.slice(made.length).map(({ subject }) => subject);
  return [...(await lotsById(context, used)).values()];
}
