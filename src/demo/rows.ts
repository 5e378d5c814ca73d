/** What a neighbourhood bakery sells, buys and uses: the products of the demonstration store. */

type Unit = 'UN' | 'KG' | 'L' | 'CX';

export interface DemoDetails {
  readonly tags?: readonly string[];
  readonly ncm?: string | null;
  readonly cest?: string;
  /** Instead of its shelf's. */
  readonly brand?: string | null;
  readonly unitVolumeLiters?: number;
  readonly netWeightKg?: string;
  /** Zero where nobody has set it yet. */
  readonly priceCredit?: 0;
  readonly catalogDescription?: string;
  readonly controlsLots?: true;
  readonly favorite?: true;
  readonly inactive?: true;
  /** Label, SKU and net weight of each size. */
  readonly sizes?: readonly (readonly [label: string, sku: string, netWeightKg: string])[];
  /** SKU and quantity of each part. */
  readonly parts?: readonly (readonly [sku: string, quantity: number])[];
  /** What a service needs: code of LC 116, NBS and rate. */
  readonly service?: readonly [issServiceCode: string, nbsCode: string, issRate: number];
}

/** Cost is what making or buying one costs; null where nobody knows. */
export type DemoProduct = readonly [
  sku: string,
  description: string,
  unit: Unit,
  cost: number | null,
  price: number,
  details?: DemoDetails,
];

export interface DemoShelf {
  readonly category: string | null;
  readonly brand: string | null;
  readonly ncm: string | null;
  /** The day on which it is made or comes counts as one. */
  readonly keepsDays: number;
  readonly products: readonly DemoProduct[];
}

export const OWN = 'Fabricação própria';
export const MORNING = 'Fornada da manhã';
export const LOTS = { controlsLots: true } as const;
