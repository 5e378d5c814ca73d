import { comparableCode } from '../../../src/features/inventory/events.js';
import type { TracingOracle } from '../tracing-oracle.js';

interface RecallSaid {
  readonly lots: readonly { readonly lotId: string; readonly kind: string }[];
  readonly remainingStock: readonly {
    readonly lotId: string;
    readonly locationId: string;
    readonly quantity: number;
    readonly status: string;
  }[];
  readonly sales: readonly {
    readonly saleId: string;
    readonly lotId: string;
    readonly quantity: number;
    readonly returnedQuantity: number;
    readonly customer: { readonly id: string } | null;
  }[];
  readonly massBalance: object | null;
  readonly summary: { readonly sales: number; readonly customers: number };
}

export const matchedBy = (oracle: TracingOracle, lotCode: string, variantId?: string): readonly string[] =>
  [...oracle.lots.values()]
    .filter((lot) => lot.lotCode !== null && comparableCode(lot.lotCode) === comparableCode(lotCode))
    .filter((lot) => variantId === undefined || lot.variantId === variantId)
    .map(({ lotId }) => lotId);

/** The sold lines, as a recall says them: by sale and lot. */
export function soldBy(oracle: TracingOracle, start: readonly string[]): readonly string[] {
  const reached = new Set(oracle.trace(start, 'forward').lots.keys());
  return [...oracle.sold(reached).values()].map(({ flow, quantity, returned }) =>
    [flow.id, flow.lotId, quantity.toNumber(), returned.toNumber(), flow.customerId ?? ''].join(' '),
  );
}

export const soldIn = (body: unknown): readonly string[] =>
  (body as RecallSaid).sales.map(({ saleId, lotId, quantity, returnedQuantity, customer }) =>
    [saleId, lotId, quantity, returnedQuantity, customer?.id ?? ''].join(' '),
  );

export function differs(what: string, found: readonly string[], wanted: readonly string[]): readonly string[] {
  const [one, other] = [[...found].sort().join('; '), [...wanted].sort().join('; ')];
  return one === other ? [] : [`${what} are ${one}, not ${other}`];
}

/** What a recall says against what the facts say. */
export function recallFaults(
  oracle: TracingOracle,
  lotCode: string,
  variantId: string | undefined,
  body: unknown,
): readonly string[] {
  const start = matchedBy(oracle, lotCode, variantId);
  const reached = new Set(oracle.trace(start, 'forward').lots.keys());
  const said = body as RecallSaid;
  if (!Array.isArray(said.lots)) return [`the recall of ${lotCode} says ${JSON.stringify(body)}`];
  const name = `of the recall of ${lotCode}`;
  const sold = [...oracle.sold(reached).values()];
  const { sales, customers } = said.summary;
  const balance = oracle.balance(new Set(start));
  const isOfOneUnit = new Set(start.map((lotId) => oracle.lots.get(lotId)?.variantId)).size === 1;
  return [
    ...differs(
      `lots ${name}`,
      said.lots.map(({ lotId, kind }) => `${kind} ${lotId}`),
      [...reached].map((lotId) => `${start.includes(lotId) ? 'MATCHED' : 'REACHED'} ${lotId}`),
    ),
    ...differs(`sales ${name}`, soldIn(said), soldBy(oracle, start)),
    ...differs(
      `rests ${name}`,
      said.remainingStock.map(
        (one) => `${one.lotId}/${one.locationId} ${String(one.quantity)} ${String(one.status === 'BLOCKED')}`,
      ),
      [...oracle.remaining(reached)].map(
        ([key, quantity]) =>
          `${key} ${String(quantity.toNumber())} ${String(oracle.isBlocked(key.split('/')[0] ?? ''))}`,
      ),
    ),
    ...differs(
      `numbers of sales and customers ${name}`,
      [`${String(sales)} ${String(customers)}`],
      [
        `${String(new Set(sold.map(({ flow }) => flow.id)).size)} ${String(new Set(sold.flatMap(({ flow }) => flow.customerId ?? [])).size)}`,
      ],
    ),
    ...(isOfOneUnit
      ? differs(
          `the balance ${name}`,
          Object.entries(said.massBalance ?? {}).map(String),
          Object.entries(balance).map(String),
        )
      : []),
  ];
}

interface TraceSaid {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly quantity: number }[];
}

export function traceFaults(
  oracle: TracingOracle,
  lotCode: string,
  direction: 'forward' | 'backward',
  body: unknown,
): readonly string[] {
  const { lots, orders, edges } = oracle.trace(matchedBy(oracle, lotCode), direction);
  const said = body as TraceSaid;
  const name = `of the trace ${direction} of ${lotCode}`;
  return [
    ...differs(
      `nodes ${name}`,
      said.nodes.map(({ id }) => id),
      [...lots.keys(), ...orders.keys()],
    ),
    ...differs(
      `edges ${name}`,
      said.edges.map(({ from, to, quantity }) => `${from} > ${to} ${String(quantity)}`),
      [...edges].map(([key, { quantity }]) => `${key} ${String(quantity.toNumber())}`),
    ),
  ];
}
