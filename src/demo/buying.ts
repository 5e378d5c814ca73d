import type { InventoryCommand } from '../features/inventory/decider.js';
import { Decimal } from '../kernel/values/decimal.js';
import type { Agenda } from './agenda.js';
import { MINUTE, expiryOf } from './days.js';
import type { Business, Happening } from './happening.js';
import { BOUGHT_WARES, RESOLD_WARES } from './shelves.js';
import { SUPPLIES } from './supplies.js';
import { RESOLD } from './resold.js';

/** What the bakery gets in, by what is asked for, and what it throws away. */

const DELIVERED = 60;
const BAKES = 290;
const RESOLD_AT = 320;
const DOUBTED = 1_000;
/** Until the next delivery, and some days more. */
const WEEK = 10;
const INPUTS_WEEK = 14;
/** Somewhat more is put on the shelf than is usually asked for. */
const AMPLE = 1.4;
/** Something is wrong with a lot of the first of these that is there. */
const DOUBTFUL = ['LEI-003', 'QUE-004', 'LEI-001', 'LEI-002'];
const DEALER = 'Distribuidora Paulista';
const WHOLESALER = 'Atacado Central';

interface Bought {
  readonly sku: string;
  readonly cost: number;
  readonly keepsDays: number;
}

interface Refill {
  readonly day: string;
  readonly at: number;
  /** Begins the code of the lot. */
  readonly letter: string;
  readonly days: number;
  /** What a package holds. */
  readonly by: number;
}

type Received = Extract<InventoryCommand, { readonly type: 'receive' }>['items'];

const d = (value: number): Decimal => Decimal.from(value);
/** What ovens may need, each with who brings it. */
const SUPPLIED = [...SUPPLIES, ...RESOLD].flatMap(({ products, brand, keepsDays }) =>
  products.flatMap(([sku, , unit, cost, , details]) =>
    cost === null ? [] : [{ sku, unit, cost, keepsDays, supplier: details?.brand ?? brand ?? WHOLESALER }],
  ),
);

export class Buyer {
  /** Those that recipes name. */
  private readonly inputs: typeof SUPPLIED;

  constructor(private readonly business: Business) {
    const { recipes, variantIdOf } = business.trader;
    const named = new Set([...recipes.values()].flatMap(({ items }) => items.map((item) => item.componentVariantId)));
    this.inputs = SUPPLIED.filter(({ sku }) => named.has(variantIdOf(sku)));
  }

  /** Inputs and what is sold as it comes. */
  week(agenda: Agenda, day: string, start: number): void {
    [...new Set(this.inputs.map((input) => input.supplier))].forEach((supplier, index) => {
      agenda.add(start + (DELIVERED + index * 5) * MINUTE, (at) => {
        const items = this.inputs
          .filter((input) => input.supplier === supplier)
          .flatMap((input) =>
            this.refill(input, { day, at, letter: 'I', days: INPUTS_WEEK, by: input.unit === 'UN' ? 12 : 1 }),
          );
        return this.receipt(at, { name: `insumos ${supplier} ${day}`, supplier, document: `NF ${day}` }, items);
      });
    });
    agenda.add(start + RESOLD_AT * MINUTE, (at) => {
      const items = RESOLD_WARES.flatMap((ware) =>
        this.refill(ware, { day, at, letter: 'R', days: WEEK, by: ware.unit === 'KG' ? 1 : 6 }),
      );
      return this.receipt(at, { name: `entrega ${day}`, supplier: DEALER, document: `entrega ${day}` }, items);
    });
  }

  /** What is baked for it, until it comes again. */
  morning(agenda: Agenda, day: string, start: number, untilNext: number): void {
    agenda.add(start + BAKES * MINUTE, (at) => {
      const items = BOUGHT_WARES.flatMap((ware) =>
        this.refill(ware, { day, at, letter: 'F', days: untilNext * AMPLE, by: ware.unit === 'KG' ? 0.5 : 2 }),
      );
      return this.receipt(at, { name: `fornada ${day}`, supplier: null, document: `fornada ${day}` }, items);
    });
  }

  /** A lot that waits for what its supplier says. */
  doubt(agenda: Agenda, start: number): void {
    agenda.add(start + DOUBTED * MINUTE, (at) => {
      const { room, trader } = this.business;
      const [doubted] = DOUBTFUL.flatMap((sku) => {
        const lotId = room.next(sku, at);
        return lotId === undefined ? [] : [{ sku, lotId }];
      });
      if (!doubted) return undefined;
      const { sku, lotId } = doubted;
      room.close(sku, lotId);
      const reason = 'Embalagens estufadas: aguarda o fornecedor';
      return { at, blocks: lotId, variantId: trader.variantIdOf(sku), reason };
    });
  }

  /** Nobody buys tomorrow what keeps until tonight. */
  clear(at: number, day: string, tomorrow: number): Happening | undefined {
    const { room, trader } = this.business;
    const thrown = room.clear(tomorrow);
    if (thrown.length === 0) return undefined;
    const items = thrown.map(({ sku, quantity }) => ({
      variantId: trader.variantIdOf(sku),
      quantity: Decimal.zero.minus(quantity),
      unitCost: null,
      lot: null,
      newLotId: this.business.idOf(`sobra ${sku} ${day}`),
    }));
    const { locationId } = trader;
    const adjustmentId = this.business.idOf(`sobras ${day}`);
    return { at, command: { type: 'adjust', adjustmentId, reason: 'Sobras vencidas', locationId, items } };
  }

  /** As much as is asked for in so many days, less what is there: in whole packages, one at least. */
  private refill({ sku, cost, keepsDays }: Bought, { day, at, letter, days, by }: Refill): Received {
    const { room, demand, trader, chance } = this.business;
    const target = Math.max(demand.of(sku) * days, by);
    const packages = Math.ceil((target - room.available(sku, at).toNumber()) / by);
    if (packages <= 0) return [];
    const quantity = d(packages * by);
    const lotId = this.business.idOf(`lote ${letter} ${sku} ${day}`);
    const expiresAt = expiryOf(day, keepsDays, trader.timeZone);
    room.put(sku, lotId, quantity, Date.parse(expiresAt));
    return [
      {
        lotId,
        variantId: trader.variantIdOf(sku),
        quantity,
        // Prices move a little from one delivery to the next.
        unitCost: d(cost).times(d(chance.between(97, 104) / 100)),
        lotCode: `${letter}${day.replaceAll('-', '').slice(2)}-${sku}`,
        expiresAt,
      },
    ];
  }

  private receipt(
    at: number,
    {
      name,
      supplier,
      document,
    }: { readonly name: string; readonly supplier: string | null; readonly document: string },
    items: Received,
  ): Happening | undefined {
    if (items.length === 0) return undefined;
    const { locationId } = this.business.trader;
    return {
      at,
      command: { type: 'receive', receiptId: this.business.idOf(name), locationId, supplier, document, items },
    };
  }
}
