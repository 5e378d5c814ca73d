import { entriesOf } from '../../../src/features/inventory/events.js';
import { recallDrills } from '../../../src/features/traceability/drills/decider.js';
import { DRILL_STEPS } from '../../../src/features/traceability/drills/events.js';
import { Drawn, PRODUCTION } from './drawn.js';
import type { Wish } from './wishes.js';

/** What changes beside the stock, and what people ask. */
export class OtherWishes extends Drawn {
  private lastQuestion: Wish | undefined;

  changeProduct(): Wish {
    const { draws, things } = this;
    const name = draws.of(['flour', 'dough', 'bread', 'crumbs', 'sugar', 'kit', 'spare', 'spare']);
    const { variants } = things;
    const part = (one: string, quantity: number) => ({ componentVariantId: variants[one], quantity });
    const body = draws.of<object>([
      { issueBy: 'EXPIRY' },
      { issueBy: 'ENTRY' },
      { active: false },
      { active: true },
      { active: true },
      { saleUnit: draws.of(['KG', 'G']) },
      { description: this.mark() },
      { description: this.mark() },
      { productType: 'SERVICE' },
      { productType: 'MERCHANDISE' },
      ...(name === 'kit' || name === 'spare'
        ? [
            { components: [part('bread', 1)] },
            { components: [part('bread', 2), part('sugar', 0.5)] },
            { components: [part('crumbs', 1)] },
            { isComposite: false },
          ]
        : []),
    ]);
    const what = `change-product ${name} ${JSON.stringify(body)}`;
    return { what, method: 'patch', path: '/products/{id}', params: { id: things.products[name] }, body };
  }

  changeVariants(): Wish {
    const { draws, things } = this;
    const id = things.products['sugar'] ?? '';
    const label = this.mark();
    const at = { params: { id, variantId: things.variants['other sugar'] ?? '' } };
    const path = '/products/{id}/variants/{variantId}';
    return draws.of<Wish>([
      { what: 'delete-variant', method: 'delete', path, ...at },
      { what: `change-variant ${label}`, method: 'patch', path, ...at, body: { label } },
      {
        what: `add-variant ${label}`,
        method: 'post',
        path: '/products/{id}/variants',
        params: { id },
        body: { label, ...(draws.chance(0.5) ? { stockQty: 2 } : {}) },
      },
    ]);
  }

  private get drillIds(): readonly string[] {
    const begun = this.shop.eventsOf(recallDrills).filter(({ type }) => type === 'RecallDrillStarted');
    return begun.map(({ data }) => data.drillId);
  }

  /** What is drilled is no fact of the goods. */
  drill(): Wish {
    const { draws } = this;
    const ids = this.drillIds;
    if (ids.length === 0 || draws.chance(0.2))
      return { what: 'start-drill', method: 'post', path: '/recall-drills', body: { lotCode: this.code() } };
    const id = draws.of(ids.slice(-2));
    const path = '/recall-drills/{id}';
    const name = draws.of(DRILL_STEPS);
    const mark = this.mark();
    return draws.of<Wish>([
      { what: `do-step ${name}`, method: 'post', path: `${path}/steps/{name}`, params: { id, name } },
      { what: `do-step ${name}`, method: 'post', path: `${path}/steps/{name}`, params: { id, name } },
      { what: 'finish-drill', mark, method: 'post', path: `${path}/finish`, params: { id }, body: { notes: mark } },
    ]);
  }

  changeLocation(): Wish {
    const { draws, things } = this;
    const [shop = '', cellar = '', fair = ''] = things.places;
    const id = draws.of([fair, fair, fair, cellar, shop]);
    const at = { path: '/locations/{id}', params: { id } };
    if (id === fair && draws.chance(0.5)) return { what: 'delete-location', method: 'delete', ...at };
    const body = draws.of<object>([
      { name: this.mark() },
      { isDefault: true },
      { isProductionDefault: true },
      { active: false },
      { active: true },
    ]);
    return { what: `change-location ${JSON.stringify(body)}`, method: 'patch', ...at, body };
  }

  deleteProduct(): Wish {
    const name = this.draws.of(['spare', 'spare', 'spare', 'crumbs', 'sugar', 'kit']);
    const params = { id: this.things.products[name] };
    return { what: `delete-product ${name}`, method: 'delete', path: '/products/{id}', params };
  }

  /** Something of a product that came late, and may be deleted again. */
  useSpare(): Wish {
    const { draws, things } = this;
    const variantId = things.variants['spare'] ?? '';
    const mark = this.mark();
    const kind = draws.of(['receive', 'sell', 'recipe'] as const);
    if (kind === 'receive') {
      const body = { document: mark, items: [{ variantId, quantity: 2, unitCost: 1, lotCode: 'S' }] };
      return { what: 'receive-spare', mark, method: 'post', path: '/stock/receipts', body };
    }
    if (kind === 'sell') {
      const payments = [{ method: 'OTHER', description: mark, amount: 1 }];
      const items = [{ variantId, quantity: 1, unitPrice: 1 }];
      const body = { items, payments, allowNegativeStock: draws.chance(0.5) };
      return { what: 'sell-spare', mark, method: 'post', path: '/sales', body };
    }
    const items = [{ componentVariantId: variantId, quantity: 1 }];
    const body = { name: mark, finishedVariantId: things.variants['sugar'], yieldQty: 1, items };
    return { what: 'recipe-spare', method: 'post', path: `${PRODUCTION}/recipes`, body };
  }

  /** Often the same as before: its answer may have been kept. */
  question(): Wish {
    const isSame = this.lastQuestion !== undefined && this.draws.chance(0.7);
    const question = isSame && this.lastQuestion ? this.lastQuestion : this.anotherQuestion();
    this.lastQuestion = question;
    return question;
  }

  private history(): Wish {
    const { draws, things, shop } = this;
    const told = (kind: string, id: string | undefined) => (id === undefined ? [] : [{ kind, id }]);
    const params = draws.of([
      ...told('product', things.products['bread']),
      ...told('location', draws.of(things.places)),
      ...told('recipe', draws.of(this.recipeIds)),
      ...told('lot', shop.facts.flatMap((event) => entriesOf(event)).at(-1)?.lotId),
      ...told('order', this.order()?.id),
      ...told('sale', this.sale()?.saleId),
      ...told('recallDrill', this.drillIds.at(-1)),
    ]);
    const path = '/audit/entities/{kind}/{id}';
    return { what: `ask ${path}`, method: 'get', path, params, query: { limit: '200' } };
  }

  private anotherQuestion(): Wish {
    const { draws, things } = this;
    const { variantId } = this.goods();
    const lotCode = this.code();
    const order = this.order();
    const sale = this.sale();
    const get = (path: string, more: Partial<Wish> = {}): Wish => ({
      what: `ask ${path}`,
      method: 'get',
      path,
      ...more,
    });
    return draws.of<Wish>([
      get('/stock/balances', { query: { variantId } }),
      get('/stock/lots', { query: { variantId, includeEmpty: 'true' } }),
      get('/stock/movements', { query: { variantId } }),
      get('/stock/valuation'),
      get(`${PRODUCTION}/recall`, { query: { lotCode, pageSize: '500' } }),
      get(`${PRODUCTION}/recall`, { query: { lotCode, pageSize: '500' } }),
      get(`${PRODUCTION}/recall`, { query: { lotCode, variantId, pageSize: '500' } }),
      get(`${PRODUCTION}/traceability`, { query: { lotCode, direction: 'forward' } }),
      get(`${PRODUCTION}/traceability`, { query: { lotCode, direction: 'backward' } }),
      get(`${PRODUCTION}/planning/suggestions`),
      get(`${PRODUCTION}/orders`),
      get('/products/{id}', { params: { id: things.products['kit'] } }),
      get('/products', { query: { take: '50' } }),
      get('/products/{id}', { params: { id: things.products['bread'] } }),
      get('/audit/checkpoint'),
      this.history(),
      this.history(),
      get('/explain/variants/{id}/average-cost', { params: { id: variantId } }),
      get(`${PRODUCTION}/recipes/{id}`, { params: { id: draws.of(this.recipeIds) } }),
      ...this.drillIds.slice(-1).map((id) => get('/recall-drills/{id}', { params: { id } })),
      ...(this.lots.length > 0 ? [get('/stock/lots/{lotId}', { params: { lotId: draws.of(this.lots).lotId } })] : []),
      ...(sale ? [get('/sales/{id}', { params: { id: sale.saleId } })] : []),
      ...(order
        ? [
            get(`${PRODUCTION}/orders/{id}`, { params: { id: order.id } }),
            get(`${PRODUCTION}/orders/{id}/reversal-preview`, { params: { id: order.id } }),
          ]
        : []),
    ]);
  }
}
