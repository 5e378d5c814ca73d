import { Drawn } from './drawn.js';
import type { Wish } from './wishes.js';

const CODES = ['A', 'B', 'C'] as const;
const COUNTS = ['01a1fe3e-9906-438c-84d5-00000000d001', '01a1fe3e-9906-438c-84d5-00000000d002'] as const;

/** Goods come, go and come back, are sold, blocked and released. */
export class StockWishes extends Drawn {
  receive(): Wish {
    const { draws } = this;
    const mark = this.mark();
    const items = Array.from({ length: draws.chance(0.2) ? 2 : 1 }, () => {
      const { variantId } = this.goods();
      const unitCost = draws.of([0, 1, 2.5, 3.3333333333]);
      const lotCode = draws.chance(0.7) ? { lotCode: draws.of(CODES) } : {};
      return { variantId, quantity: this.quantity() * draws.of([1, 2, 4]), unitCost, ...lotCode, ...this.expires() };
    });
    const body = { document: mark, supplier: draws.of(['Moinho', 'Usina']), locationId: this.place(), items };
    return { what: `receive ${JSON.stringify(items)}`, mark, method: 'post', path: '/stock/receipts', body };
  }

  adjust(): Wish {
    const { draws } = this;
    const mark = this.mark();
    const lot = this.lots.length > 0 && draws.chance(0.5) ? draws.of(this.lots) : undefined;
    const { variantId } = lot ?? this.goods();
    const item = { variantId, quantity: draws.of([-2, -1, -0.333333, 1, 2]), ...(lot ? { lotId: lot.lotId } : {}) };
    const body = { reason: mark, locationId: this.place(), items: [item] };
    return { what: `adjust ${JSON.stringify(item)}`, mark, method: 'post', path: '/stock/adjustments', body };
  }

  /** Lots of a place are what somebody counted, as one of several adjustments. */
  count(): Wish | undefined {
    const { draws, shop } = this;
    const mark = this.mark();
    const locationId = this.place();
    const held = [...shop.state.variants].flatMap(([variantId, { lots }]) =>
      [...lots].flatMap(({ lotId, holdings }) =>
        holdings.filter((one) => one.locationId === locationId).map(({ quantity }) => ({ variantId, lotId, quantity })),
      ),
    );
    const items = held.flatMap(({ variantId, lotId, quantity }) => {
      const counted = draws.of([quantity.toNumber(), 0, 1, 2, Math.floor(quantity.toNumber())]);
      const found = Number((counted - quantity.toNumber()).toFixed(6));
      return found === 0 || draws.chance(0.5) ? [] : [{ variantId, lotId, quantity: found }];
    });
    if (items.length === 0) return undefined;
    const countId = draws.of(COUNTS);
    const body = { reason: mark, locationId, countId, items };
    return { what: `count ${JSON.stringify(items)}`, mark, method: 'post', path: '/stock/adjustments', body };
  }

  transfer(): Wish {
    const { draws, things } = this;
    const [from = '', to = ''] = draws.chance(0.7) ? things.places : [...things.places.slice(0, 2)].reverse();
    const { variantId } = this.goods();
    const item = { variantId, quantity: this.quantity(), ...(draws.chance(0.4) ? this.codeOf(variantId) : {}) };
    const body = { fromLocationId: from, toLocationId: to, items: [item] };
    return { what: `transfer ${JSON.stringify(item)}`, method: 'post', path: '/stock/transfers', body };
  }

  sell(): Wish {
    const { draws, things } = this;
    const mark = this.mark();
    const items = Array.from({ length: draws.chance(0.3) ? 2 : 1 }, () => {
      const { name, variantId } = draws.chance(0.2)
        ? { name: 'kit', variantId: things.variants['kit'] ?? '' }
        : this.goods();
      const lotCode = name !== 'kit' && draws.chance(0.25) ? this.codeOf(variantId) : {};
      return { variantId, quantity: this.quantity(), unitPrice: 0, ...lotCode };
    });
    // A cent is paid, so that the sale can carry its mark.
    const [first] = items;
    const priced = items.map((item) => (item === first ? { ...item, quantity: 1, unitPrice: 1 } : item));
    const body = {
      items: priced,
      payments: [{ method: 'OTHER', description: mark, amount: 1 }],
      locationId: this.place(),
      ...(draws.chance(0.6) ? { customerId: draws.of(things.customers) } : {}),
      ...(draws.chance(0.6) ? { allowNegativeStock: true } : {}),
    };
    return { what: `sell ${JSON.stringify(priced)}`, mark, method: 'post', path: '/sales', body };
  }

  returnGoods(): Wish | undefined {
    const sale = this.sale();
    if (!sale) return undefined;
    const mark = this.mark();
    const { variantId, quantity } = this.draws.of(sale.lines);
    const back = this.draws.chance(0.5) ? quantity.toNumber() : this.draws.of([0.333333, 0.5, 1]);
    const body = { reason: mark, items: [{ variantId, quantity: back }] };
    const what = `return ${String(back)} of sale ${String(sale.number)}`;
    return { what, mark, method: 'post', path: '/sales/{id}/returns', params: { id: sale.saleId }, body };
  }

  cancelSale(): Wish | undefined {
    const sale = this.sale();
    if (!sale) return undefined;
    const mark = this.mark();
    const what = `cancel-sale ${String(sale.number)}`;
    return {
      what,
      mark,
      method: 'post',
      path: '/sales/{id}/cancel',
      params: { id: sale.saleId },
      body: { reason: mark },
    };
  }

  block(): Wish | undefined {
    const { draws } = this;
    if (this.lots.length === 0) return undefined;
    const reason = this.mark();
    const how = draws.chance(0.65) ? 'block' : 'release';
    if (draws.chance(0.3)) {
      const { lotId } = draws.of(this.lots);
      return {
        what: `${how}-lot`,
        method: 'post',
        path: `/stock/lots/{lotId}/${how}`,
        params: { lotId },
        body: { reason },
      };
    }
    const lotCode = this.code();
    const body = draws.chance(0.8)
      ? { reason, lotCode: draws.chance(0.5) ? lotCode : ` ${lotCode.toLowerCase()} ` }
      : { reason, lotIds: [draws.of(this.lots).lotId, draws.of(this.lots).lotId] };
    return { what: `${how}-many ${JSON.stringify(body)}`, method: 'post', path: `/stock/lots/${how}`, body };
  }
}
