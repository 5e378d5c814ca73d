import { stock } from '../../../../projections/inventory/stock.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { documentOf } from '../../../kernel/routes/stored-records.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { Catalogue } from '../../contracts/catalogue.js';
import type { Explained, ExplanationQuery } from '../../contracts/explanation.js';
import { pageOfLines, sumOf, wordingFor } from '../../contracts/explanation.js';
import { GoodsOfOne, readGoods } from '../sales/goods.js';
import { producedVariants } from '../stock/costs.js';

interface ExplainedKit {
  readonly explained: Explained;
  readonly seesCosts: boolean;
}

/** A kit has no stock of its own: one costs what its parts cost on average. Undefined of what is no kit. */
export async function explainedKit(
  catalogue: Catalogue,
  context: RequestContext,
  variantId: string,
  query: ExplanationQuery,
): Promise<ExplainedKit | undefined> {
  const known = await readGoods(catalogue, context, [variantId]);
  if (known.get(variantId)?.components === undefined) return undefined;
  const isEmpty = [...known.values()].some(({ components }) => components?.length === 0);
  const goods = isEmpty ? [] : new GoodsOfOne(known).times(variantId, Decimal.one);
  const ids = goods.map((part) => part.variantId);
  const seesCosts = (await producedVariants(context, ids)).size === 0;
  const say = wordingFor(context, seesCosts);
  const records = await context.reads.getMany(stock, ids);
  const averages = new Map(records.map((record) => [record.id, documentOf(stock, record).averageCost]));
  const lines = goods.map(({ variantId: part, quantity }) => {
    const { saleUnit: unit = '', description = part } = known.get(part) ?? {};
    const words = say.goods(quantity, { unit, description });
    const average = averages.get(part);
    if (average === undefined || average === null) return { text: words };
    const cost = Decimal.from(average);
    const text = say.costly(words, () => `${words}; ${say.text('média de', 'average of')} ${say.money(cost)}`);
    return { text, value: cost.times(quantity) };
  });
  const isKnown = lines.length > 0 && lines.every(({ value }) => value !== undefined);
  const total = isKnown ? { value: sumOf(lines, 'value') } : {};
  return { explained: { total, ...pageOfLines(lines, query) }, seesCosts };
}
