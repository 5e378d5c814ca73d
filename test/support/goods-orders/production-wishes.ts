import type { OrderDocument } from '../../../projections/production/orders.js';
import { orderAfter } from '../../../projections/production/orders.js';
import { recipes } from '../../../src/features/recipes/decider.js';
import { Drawn, PRODUCTION } from './drawn.js';
import type { Wish } from './wishes.js';

/** Orders and the recipes that they follow. */
export class ProductionWishes extends Drawn {
  private output() {
    const { draws } = this;
    const inputs = this.lots.length > 0 && draws.chance(0.3) ? [draws.of(this.lots)] : [];
    return {
      ...(draws.chance(0.4) ? { actualOutputQty: draws.of([0, 1, 1.7, 2, 3]) } : {}),
      ...(draws.chance(0.3) ? { outputLotCode: draws.of(['X', 'Y', 'Z', 'x']) } : {}),
      ...(draws.chance(0.4) ? { allowNegativeStock: true } : {}),
      ...(inputs.length > 0
        ? {
            actualInputs: inputs.map(({ variantId, lotCode }) => ({
              componentVariantId: variantId,
              quantity: draws.of([0, 1, 0.5, 1.333333]),
              ...(lotCode !== null && draws.chance(0.5) ? { lotCode } : {}),
            })),
          }
        : {}),
    };
  }

  private places() {
    const { draws } = this;
    return {
      ...(draws.chance(0.2) ? { locationId: this.place() } : {}),
      ...(draws.chance(0.2) ? { outputLocationId: this.place() } : {}),
    };
  }

  plan(): Wish {
    const { draws } = this;
    const mark = this.mark();
    const recipeId = draws.of(this.recipeIds);
    const body = {
      recipeId,
      batches: draws.of([1, 1, 2, 0.5]),
      expectedAt: '2026-11-21',
      notes: mark,
      ...this.places(),
    };
    return { what: 'plan', mark, method: 'post', path: `${PRODUCTION}/orders/plan`, body };
  }

  register(): Wish {
    const { draws } = this;
    const mark = this.mark();
    const recipeId = draws.of(this.recipeIds);
    const body = { recipeId, batches: draws.of([1, 1, 2, 0.5]), notes: mark, ...this.places(), ...this.output() };
    return { what: `register ${JSON.stringify(body)}`, mark, method: 'post', path: `${PRODUCTION}/orders`, body };
  }

  workOnOrder(): Wish | undefined {
    const { draws } = this;
    const order = this.order();
    if (!order) return undefined;
    const { id, number } = order;
    const how = draws.of(['start', 'complete', 'complete', 'complete', 'cancel', 'refresh-recipe', 'stage'] as const);
    const what = `${how}-order ${String(number)}`;
    const at = { method: 'post', path: `${PRODUCTION}/orders/{id}/${how}`, params: { id }, ...this.match(id) };
    if (how === 'complete') {
      const body = this.output();
      return { what: `${what} ${JSON.stringify(body)}`, ...at, body };
    }
    if (how !== 'stage') return { what, ...at };
    const stageId = this.shop.state.openOrders.get(id)?.plan.stageIds[0];
    if (stageId === undefined) return undefined;
    const path = `${PRODUCTION}/orders/{id}/stages/{stageId}`;
    return { what, method: 'post', path, params: { id, stageId }, body: { done: draws.chance(0.8) } };
  }

  /** Sometimes the client says which revision of an order it has seen. */
  private match(orderId: string): Pick<Wish, 'ifMatch' | 'isStale'> {
    const { draws, shop } = this;
    if (draws.chance(0.7)) return {};
    const revisions: number[] = [];
    let order: OrderDocument | undefined;
    for (const event of shop.facts) {
      if (!('orderId' in event.data) || event.data.orderId !== orderId) continue;
      order = orderAfter(order, event);
      if (order) revisions.push(order.revision);
    }
    const newest = revisions.at(-1);
    const revision = draws.of(revisions.slice(-2));
    return newest === undefined ? {} : { ifMatch: `"${String(revision)}"`, isStale: revision !== newest };
  }

  reverse(): Wish | undefined {
    const { draws } = this;
    const completed = this.facts('OrderCompleted');
    if (completed.length === 0) return undefined;
    const { orderId: id, number } = draws.of(completed.slice(-5));
    const mark = this.mark();
    const reason = `reason ${mark}`;
    const body = { reason, ...(draws.chance(0.7) ? { partial: true } : {}) };
    const what = `reverse-order ${String(number)}`;
    return {
      what,
      mark: reason,
      method: 'post',
      path: `${PRODUCTION}/orders/{id}/reverse`,
      params: { id },
      ...this.match(id),
      body,
    };
  }

  changeRecipe(): Wish {
    const { draws, things } = this;
    const id = draws.of(this.recipeIds);
    const { variants } = things;
    const item = (name: string) => ({
      componentVariantId: variants[name],
      quantity: draws.of([1, 2, 0.333333]),
      lossPercent: draws.of([0, 0, 12.5]),
    });
    const others = draws.of([['flour'], ['flour', 'sugar'], ['sugar']]);
    const body = {
      ...(draws.chance(0.7) ? { items: others.map(item) } : {}),
      ...(draws.chance(0.3) ? { yieldQty: draws.of([1, 2, 4]) } : {}),
      ...(draws.chance(0.3) ? { stages: draws.of([[], ['Forno'], [{ name: 'Forno', required: true }]]) } : {}),
      ...(draws.chance(0.3)
        ? {
            byproducts: draws.of([
              [],
              [{ variantId: variants['crumbs'], quantityPerBatch: 0.5, costSharePercent: 10 }],
            ]),
          }
        : {}),
      ...(draws.chance(0.15) ? { active: draws.chance(0.6) } : {}),
      ...(draws.chance(0.3) ? { saveAsDraft: true } : {}),
    };
    const path = `${PRODUCTION}/recipes/{id}`;
    return { what: `change-recipe ${JSON.stringify(body)}`, method: 'patch', path, params: { id }, body };
  }

  activate(): Wish {
    const saved = this.shop
      .eventsOf(recipes)
      .flatMap((event) => (event.type === 'RecipeDraftSaved' ? [event.data] : []));
    if (saved.length === 0) return this.changeRecipe();
    const { recipeId: id, draft } = this.draws.of(saved.slice(-3));
    const version = `draft-${String(draft)}`;
    const how = this.draws.chance(0.85);
    const path = `${PRODUCTION}/recipes/{id}/versions/{version}${how ? '/activate' : ''}`;
    const what = how ? `activate ${version}` : `discard ${version}`;
    return { what, method: how ? 'post' : 'delete', path, params: { id, version } };
  }
}
