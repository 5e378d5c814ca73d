import type { components } from 'openapi-client';
import { cents } from '../../values/cents.js';
import { readNumber } from '../../values/formats.js';
import { sixDecimals } from '../../values/six-decimals.js';
import { productCodeOf } from '../../values/gs1.js';

/** What lies on the counter, and what it comes to: pure, in cents, rounded as the service rounds. */

type NewSale = components['schemas']['SaleBody'];
export type Payment = NewSale['payments'][number];
type Product = components['schemas']['Product'];

export type Prices = 'cash' | 'credit';

export interface Line {
  readonly id: string;
  readonly variantId: string;
  readonly description: string;
  readonly unit: string;
  readonly priceCash: number;
  readonly priceCredit: number;
  readonly stockQty: number | null;
  /** As typed. */
  readonly quantity: string;
  readonly discount: string;
}

export interface Cart {
  readonly lines: readonly Line[];
  readonly prices: Prices;
  readonly customer: { readonly id: string; readonly name: string } | null;
  /** When the first line was read. */
  readonly begunAt?: number;
  /** What the customer has paid already, in other ways than the last one: it stays paid, whatever else is read. */
  readonly paid?: readonly Payment[];
}

export const emptyCart: Cart = { lines: [], prices: 'cash', customer: null };

export const priceOf = (line: Line, prices: Prices): number => (prices === 'cash' ? line.priceCash : line.priceCredit);

export const lineQuantity = (line: Line): number => readNumber(line.quantity) ?? 0;

/** What to say where more is sold than there is: how much there is, that there is nothing, or how much is owed already. */
export function shortageOf(
  line: Line,
): { readonly said: 'beyondStock' | 'noStock' | 'owed'; readonly of: number } | undefined {
  const { stockQty } = line;
  if (stockQty === null || lineQuantity(line) <= stockQty) return undefined;
  return { said: stockQty > 0 ? 'beyondStock' : stockQty === 0 ? 'noStock' : 'owed', of: Math.abs(stockQty) };
}

export function lineCents(line: Line, prices: Prices): number {
  return cents(lineQuantity(line) * priceOf(line, prices)) - cents(readNumber(line.discount) ?? 0);
}

export const totalCents = ({ lines, prices }: Cart): number =>
  lines.reduce((sum, line) => sum + lineCents(line, prices), 0);

/** What is left to pay of it; less than nothing where goods were taken out that are paid. */
export const leftCents = (cart: Cart): number =>
  totalCents(cart) - (cart.paid ?? []).reduce((sum, { amount }) => sum + cents(amount), 0);

/** Whether the counter has room for another purchase: nothing lies there, and nothing is paid. */
export const isFree = ({ lines, paid = [] }: Cart): boolean => lines.length === 0 && paid.length === 0;

/** Whether each line has a quantity and costs no less than nothing. */
export const isComplete = ({ lines, prices }: Cart): boolean =>
  lines.length > 0 && lines.every((line) => lineQuantity(line) > 0 && lineCents(line, prices) >= 0);

export interface Scanned {
  readonly product: Product;
  readonly variantId: string;
  readonly quantity?: number | undefined;
  /** The label of a scale may say what it costs. */
  readonly total?: number | undefined;
}

function newLine({ product, variantId }: Scanned, id: string): Omit<Line, 'quantity'> {
  const variant = product.variants.find((one) => one.id === variantId);
  const isKept = product.productType === 'MERCHANDISE' && !product.isComposite;
  return {
    id,
    variantId,
    description: variant?.label ? `${product.description} ${variant.label}` : product.description,
    unit: product.saleUnit,
    priceCash: product.priceCash,
    // Without a credit price of its own, the cash price counts.
    priceCredit: product.priceCredit === 0 ? product.priceCash : product.priceCredit,
    stockQty: isKept ? (variant?.stockQty ?? product.stockQty) : null,
    discount: '',
  };
}

type Priced = Pick<Line, 'priceCash' | 'priceCredit'>;

const costsTheSame = (one: Priced, other: Priced): boolean =>
  one.priceCash === other.priceCash && one.priceCredit === other.priceCredit;

/** What the same cost that was read before this, where it was another price. */
export function priceBefore({ lines, prices }: Cart, line: Line): number | undefined {
  const earlier = lines.slice(0, lines.indexOf(line));
  const before = earlier.filter(({ variantId }) => variantId === line.variantId).at(-1);
  const price = before && priceOf(before, prices);
  return price === priceOf(line, prices) ? undefined : price;
}

/** How much a label's price is of it: in grams as scales weigh, and finer where that many grams would cost another cent than the label says. */
function amountFor(total: number, price: number): number {
  const amounts = [3, 4, 5].map((decimals) => Number((total / price).toFixed(decimals)));
  return amounts.find((amount) => cents(amount * price) === cents(total)) ?? sixDecimals(total / price);
}

/** Adds what was scanned; a piece of what lies there already makes one more of it. Write gives numbers as they are typed. */
export function withScanned(
  cart: Cart,
  scanned: Scanned,
  factor: number,
  { id, write }: { readonly id: string; readonly write: (value: number) => string },
): Cart {
  const line = newLine(scanned, id);
  const byTotal = scanned.total !== undefined && line.priceCash > 0;
  const measured = scanned.quantity ?? 1;
  const quantity = byTotal ? amountFor((scanned.total ?? 0) * factor, line.priceCash) : sixDecimals(measured * factor);
  const isPiece = Number.isInteger(measured) && !byTotal;
  // What has another price by now is a line of its own: what lies there already costs what the customer was told.
  const same = isPiece
    ? cart.lines.find((one) => one.variantId === line.variantId && costsTheSame(one, line))
    : undefined;
  const lines = same
    ? [
        ...cart.lines.filter((one) => one !== same),
        { ...same, quantity: write(sixDecimals(lineQuantity(same) + quantity)) },
      ]
    : [...cart.lines, { ...line, quantity: write(quantity) }];
  return { ...cart, lines };
}

/** `3*789…` is three of it, `0*789…` is none, `3*` is three of what is read next; what stands alone is one. */
export function readScan(typed: string): { readonly factor: number; readonly code: string } {
  const times = /^\s*([\d.,]+)\s*[*xX]\s*(.*)$/.exec(typed);
  const factor = times?.[1] === undefined ? undefined : readNumber(times[1]);
  if (factor !== undefined && times) return { factor, code: productCodeOf(times[2] ?? '') };
  return { factor: 1, code: productCodeOf(typed) };
}

export const isCode = (text: string): boolean => /^\d{8}$|^\d{12,14}$/.test(text);

/** A number alone is no name: it stands in many, as in “Água 500 ml”. */
export const isName = (text: string): boolean => /\p{L}/u.test(text);

/** What was meant by a text: a code that is exactly it, or the only product whose name it is in; otherwise somebody has to choose. */
export function meantBy(text: string, products: readonly Product[]): Scanned | 'several' | undefined {
  const all = products.flatMap((product) => product.variants.map((variant) => ({ product, variant })));
  const exact = all.find(
    ({ variant: { gtin, sku } }) => gtin === text || sku?.toLocaleLowerCase() === text.toLocaleLowerCase(),
  );
  const [first, second] = exact ? [exact] : isName(text) ? all : [];
  if (second) return 'several';
  return first && { product: first.product, variantId: first.variant.id };
}

export function saleOf(cart: Cart, payments: readonly Payment[], occurredAt: string): NewSale {
  return {
    ...(cart.customer ? { customerId: cart.customer.id } : {}),
    items: cart.lines.map((line) => {
      const discount = readNumber(line.discount) ?? 0;
      return {
        variantId: line.variantId,
        quantity: lineQuantity(line),
        unitPrice: priceOf(line, cart.prices),
        ...(discount > 0 ? { discount } : {}),
      };
    }),
    payments: [...payments],
    occurredAt,
  };
}
