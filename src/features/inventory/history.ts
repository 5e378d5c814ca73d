import type { Entity, Histories, Voice } from '../../kernel/events/history.js';
import { counted, entity } from '../../kernel/events/history.js';
import type { Comeback, Entry, InventoryEvent, InventoryFact, Issue } from './events.js';

const lot = ({ lotId }: { readonly lotId: string }): Entity => entity('lot', lotId);
const sale = (id: string): Entity => entity('sale', id);
const order = (id: string): Entity => entity('order', id);

/** What settled debts went to. */
const settledBy = ({ settlements }: Entry): readonly Entity[] =>
  settlements.map(({ originKind, originId }) => (originKind === 'SALE' ? sale(originId) : order(originId)));

const entered = (entries: readonly Entry[]): readonly Entity[] =>
  entries.flatMap((one) => [lot(one), ...settledBy(one)]);
const left = (issues: readonly Issue[]): readonly Entity[] => issues.flatMap(({ takes }) => takes.map(lot));
const cameBack = (comebacks: readonly Comeback[]): readonly Entity[] =>
  comebacks.flatMap(({ entries }) => entered(entries));
const settledByComeback = (comebacks: readonly Comeback[]): readonly Entity[] =>
  comebacks.flatMap(({ entries }) => entries.flatMap(settledBy));

const goods = (items: readonly Pick<Entry, 'variantId' | 'quantity'>[], say: Voice): string =>
  say.list(items.map(({ variantId, quantity }) => say.goods(quantity, variantId)));

const variantNames = (ids: readonly string[], say: Voice): string => say.list(ids.map((id) => say.name('variant', id)));

const codeOf = ({ lotCode, lotId }: { readonly lotCode: string | null; readonly lotId: string }): string =>
  lotCode ?? lotId.slice(-8);

const clause = (words: string, text: string | null): string => (text === null ? '' : `, ${words} ${text}`);

/** Of an order that was registered at once no earlier event tells it. */
const unplannedRecipe = ({ plan }: InventoryFact<'OrderCompleted'>, words: string): string =>
  clause(words, plan?.recipe.name ?? null);

export const inventoryHistory: Histories<InventoryEvent> = {
  StockOpened: {
    about: ({ entries }) => entered(entries),
    pt: ({ entries }, say) => `O estoque inicial entrou: ${goods(entries, say)}.`,
    en: ({ entries }, say) => `The opening stock entered: ${goods(entries, say)}.`,
  },
  StockReceived: {
    about: ({ receiptId, entries }) => [entity('receipt', receiptId), ...entered(entries)],
    pt: ({ supplier, document, entries }, say) =>
      `Uma compra foi recebida${clause('de', supplier)}${clause('documento', document)}: ${goods(entries, say)}.`,
    en: ({ supplier, document, entries }, say) =>
      `Goods were received${clause('from', supplier)}${clause('document', document)}: ${goods(entries, say)}.`,
  },
  StockAdjusted: {
    about: ({ adjustmentId, entries, issues }) => [
      entity('adjustment', adjustmentId),
      ...entered(entries),
      ...left(issues),
    ],
    changes: ({ adjustmentId, entries }) => [entity('adjustment', adjustmentId), ...entered(entries)],
    pt: ({ reason, entries, issues }, say) => `O estoque foi ajustado (${reason}): ${adjusted(entries, issues, say)}.`,
    en: ({ reason, entries, issues }, say) => `The stock was adjusted (${reason}): ${adjusted(entries, issues, say)}.`,
  },
  StockTransferred: {
    about: ({ transferId, issues, arrivals }) => [
      entity('transfer', transferId),
      ...left(issues),
      ...entered(arrivals),
    ],
    changes: ({ transferId, arrivals }) => [entity('transfer', transferId), ...arrivals.flatMap(settledBy)],
    pt: ({ fromLocationId, toLocationId, issues }, say) =>
      `De ${say.name('location', fromLocationId)} para ${say.name('location', toLocationId)} foram transferidos: ${goods(issues, say)}.`,
    en: ({ fromLocationId, toLocationId, issues }, say) =>
      `From ${say.name('location', fromLocationId)} to ${say.name('location', toLocationId)} were transferred: ${goods(issues, say)}.`,
  },
  LotBlocked: {
    about: (data) => [lot(data)],
    pt: (data, say) =>
      `O lote ${codeOf(data)} de ${say.name('variant', data.variantId)} foi bloqueado: ${data.reason}.`,
    en: (data, say) => `The lot ${codeOf(data)} of ${say.name('variant', data.variantId)} was blocked: ${data.reason}.`,
  },
  LotsBlocked: {
    about: ({ lots }) => lots.map(lot),
    pt: ({ lots, reason }, say) => `Lotes bloqueados: ${say.list(lots.map(codeOf))}. Motivo: ${reason}.`,
    en: ({ lots, reason }, say) => `Lots were blocked: ${say.list(lots.map(codeOf))}. Reason: ${reason}.`,
  },
  LotsReleased: {
    about: ({ lots }) => lots.map(lot),
    pt: ({ lots, reason }, say) =>
      `Lotes liberados: ${say.list(lots.map(({ lotId }) => say.name('lot', lotId)))}. Motivo: ${reason}.`,
    en: ({ lots, reason }, say) =>
      `Lots were released: ${say.list(lots.map(({ lotId }) => say.name('lot', lotId)))}. Reason: ${reason}.`,
  },
  LotReleased: {
    about: (data) => [lot(data)],
    pt: ({ lotId, variantId, reason }, say) =>
      `O lote ${say.name('lot', lotId)} de ${say.name('variant', variantId)} foi liberado: ${reason}.`,
    en: ({ lotId, variantId, reason }, say) =>
      `The lot ${say.name('lot', lotId)} of ${say.name('variant', variantId)} was released: ${reason}.`,
  },
  VariantsRetired: {
    about: ({ variantIds }) => variantIds.map((id) => entity('variant', id)),
    pt: ({ variantIds }, say) => `Sem mais movimento de estoque: ${variantNames(variantIds, say)}.`,
    en: ({ variantIds }, say) => `No longer moved in stock: ${variantNames(variantIds, say)}.`,
  },
  VariantsRestored: {
    about: ({ variantIds }) => variantIds.map((id) => entity('variant', id)),
    pt: ({ variantIds }, say) => `Com movimento de estoque outra vez: ${variantNames(variantIds, say)}.`,
    en: ({ variantIds }, say) => `Moved in stock again: ${variantNames(variantIds, say)}.`,
  },
  StockKeepingEnded: {
    about: ({ variantIds }) => variantIds.map((id) => entity('variant', id)),
    pt: ({ variantIds, unit }, say) =>
      unit === undefined
        ? `Sem estoque próprio, por ser kit ou serviço: ${variantNames(variantIds, say)}.`
        : `Sem movimento de estoque enquanto a unidade passa a ser ${unit}: ${variantNames(variantIds, say)}.`,
    en: ({ variantIds, unit }, say) =>
      unit === undefined
        ? `Without stock of its own, as a kit or a service: ${variantNames(variantIds, say)}.`
        : `Not moved in stock while the unit becomes ${unit}: ${variantNames(variantIds, say)}.`,
  },
  StockKeepingResumed: {
    about: ({ variantIds }) => variantIds.map((id) => entity('variant', id)),
    pt: ({ variantIds }, say) => `Com estoque próprio outra vez: ${variantNames(variantIds, say)}.`,
    en: ({ variantIds }, say) => `With stock of its own again: ${variantNames(variantIds, say)}.`,
  },
  LocationRetired: {
    about: ({ locationId }) => [entity('location', locationId)],
    pt: ({ locationId }, say) => `O local ${say.name('location', locationId)} não recebe mais mercadoria.`,
    en: ({ locationId }, say) => `Nothing is kept at the location ${say.name('location', locationId)} any more.`,
  },
  SaleCompleted: {
    about: ({ saleId, customerId, lines }) => [
      sale(saleId),
      ...(customerId === null ? [] : [entity('customer', customerId)]),
      ...lines.flatMap(({ issues }) => left(issues)),
    ],
    changes: ({ saleId }) => [sale(saleId)],
    pt: ({ number, total, customerId, lines }, say) =>
      `A venda ${String(number)} foi concluída${customerId === null ? '' : ` para ${say.name('customer', customerId)}`}, ` +
      `${say.money(total)}: ${soldLines(lines, say)}.`,
    en: ({ number, total, customerId, lines }, say) =>
      `Sale ${String(number)} was completed${customerId === null ? '' : ` for ${say.name('customer', customerId)}`}, ` +
      `${say.money(total)}: ${soldLines(lines, say)}.`,
  },
  SaleReturned: {
    about: ({ saleId, lines }) => [sale(saleId), ...cameBack(lines)],
    changes: ({ saleId, lines }) => [sale(saleId), ...settledByComeback(lines)],
    pt: ({ saleId, lines, reason, total }, say) =>
      `Da venda ${say.name('sale', saleId)} foram devolvidos ${goods(lines, say)}, ${say.money(total)}${reason === null ? '' : `: ${reason}`}.`,
    en: ({ saleId, lines, reason, total }, say) =>
      `Of sale ${say.name('sale', saleId)} came back ${goods(lines, say)}, ${say.money(total)}${reason === null ? '' : `: ${reason}`}.`,
  },
  SaleCancelled: {
    about: ({ saleId, lines, soldLots }) => [sale(saleId), ...cameBack(lines), ...soldLots.map(lot)],
    changes: ({ saleId, lines }) => [sale(saleId), ...settledByComeback(lines)],
    pt: ({ saleId, reason }, say) => `A venda ${say.name('sale', saleId)} foi cancelada: ${reason}.`,
    en: ({ saleId, reason }, say) => `Sale ${say.name('sale', saleId)} was cancelled: ${reason}.`,
  },
  SaleTaxingBegan: {
    about: ({ saleId, documentId }) => [sale(saleId), entity('document', documentId)],
    pt: ({ saleId, attempt = 1 }, say) =>
      attempt === 1
        ? `A emissão de um documento fiscal da venda ${say.name('sale', saleId)} começou.`
        : `A emissão de um documento fiscal da venda ${say.name('sale', saleId)} começou outra vez.`,
    en: ({ saleId, attempt = 1 }, say) =>
      attempt === 1
        ? `A fiscal document of sale ${say.name('sale', saleId)} began to be issued.`
        : `A fiscal document of sale ${say.name('sale', saleId)} began to be issued once more.`,
  },
  SaleTaxingEnded: {
    about: ({ saleId, documentId }) => [sale(saleId), entity('document', documentId)],
    pt: ({ saleId }, say) =>
      `A venda ${say.name('sale', saleId)} ficou sem documento fiscal, e pode ser cancelada outra vez.`,
    en: ({ saleId }, say) =>
      `Sale ${say.name('sale', saleId)} was left without a fiscal document, and can be cancelled again.`,
  },
  OrderPlanned: {
    about: ({ orderId }) => [order(orderId)],
    pt: ({ number, recipe, batches, expectedQty }, say) =>
      `A ordem ${String(number)} foi planejada: ${say.number(batches)} × ${recipe.name}, com ${say.quantity(expectedQty, recipe.finishedVariantId)} de resultado esperado.`,
    en: ({ number, recipe, batches, expectedQty }, say) =>
      `Order ${String(number)} was planned: ${say.number(batches)} × ${recipe.name}, ${say.quantity(expectedQty, recipe.finishedVariantId)} expected.`,
  },
  OrderStarted: {
    about: ({ orderId }) => [order(orderId)],
    pt: ({ orderId }, say) => `A produção da ordem ${say.name('order', orderId)} começou.`,
    en: ({ orderId }, say) => `Production of order ${say.name('order', orderId)} began.`,
  },
  OrderStageMarked: {
    about: ({ orderId }) => [order(orderId)],
    pt: ({ orderId, stageId, done, notes }, say) =>
      `A etapa ${say.name('order', orderId, stageId)} da ordem ${say.name('order', orderId)} foi ${done ? 'marcada como feita' : 'reaberta'}${notes === null ? '' : `: ${notes}`}.`,
    en: ({ orderId, stageId, done, notes }, say) =>
      `The stage ${say.name('order', orderId, stageId)} of order ${say.name('order', orderId)} was ${done ? 'marked as done' : 'opened again'}${notes === null ? '' : `: ${notes}`}.`,
  },
  OrderRecipeRefreshed: {
    about: ({ orderId }) => [order(orderId)],
    pt: ({ orderId, recipe }, say) =>
      `A ordem ${say.name('order', orderId)} passou a seguir a versão ${String(recipe.version)} da receita ${recipe.name}.`,
    en: ({ orderId, recipe }, say) =>
      `Order ${say.name('order', orderId)} now follows version ${String(recipe.version)} of the recipe ${recipe.name}.`,
  },
  OrderCancelled: {
    about: ({ orderId }) => [order(orderId)],
    pt: ({ orderId }, say) => `A ordem ${say.name('order', orderId)} foi cancelada.`,
    en: ({ orderId }, say) => `Order ${say.name('order', orderId)} was cancelled.`,
  },
  OrderCompleted: {
    about: ({ orderId, consumptions, output, byproducts }) => [
      order(orderId),
      ...left(consumptions),
      ...entered(output ? [output, ...byproducts] : byproducts),
    ],
    changes: ({ orderId, output, byproducts }) => [
      order(orderId),
      ...entered(output ? [output, ...byproducts] : byproducts),
    ],
    pt: (data, say) =>
      `A ordem ${String(data.number)} foi concluída: ${say.goods(data.actualOutputQty, data.finishedVariantId)}` +
      `${data.output ? ` no lote ${codeOf(data.output)}` : ', tudo perdido'}, com ${counted(data.consumptions.length, 'insumo', 'insumos')}${unplannedRecipe(data, 'pela receita')}.`,
    en: (data, say) =>
      `Order ${String(data.number)} was completed: ${say.goods(data.actualOutputQty, data.finishedVariantId)}` +
      `${data.output ? ` in lot ${codeOf(data.output)}` : ', all lost'}, with ${counted(data.consumptions.length, 'input', 'inputs')}${unplannedRecipe(data, 'by the recipe')}.`,
  },
  OrderReversed: {
    about: ({ orderId, output, byproducts, inputs }) => [
      order(orderId),
      ...left(output.issues),
      ...byproducts.flatMap(({ issues }) => left(issues)),
      ...cameBack(inputs),
    ],
    changes: ({ orderId, output, inputs }) => [order(orderId), ...left(output.issues), ...settledByComeback(inputs)],
    pt: ({ orderId, whole, reversedQty, output, reason }, say) =>
      `A ordem ${say.name('order', orderId)} foi estornada${whole ? '' : ' em parte'}, com ${say.quantity(reversedQty, output.costReversal.variantId)} a menos no lote: ${reason}.`,
    en: ({ orderId, whole, reversedQty, output, reason }, say) =>
      `Order ${say.name('order', orderId)} was reversed${whole ? '' : ' in part'}, ${say.quantity(reversedQty, output.costReversal.variantId)} unmade: ${reason}.`,
  },
};

function adjusted(entries: readonly Entry[], issues: readonly Issue[], say: Voice): string {
  const signed = (sign: string, items: readonly Pick<Entry, 'variantId' | 'quantity'>[]) =>
    items.map(({ variantId, quantity }) => `${sign}${say.goods(quantity, variantId)}`);
  return say.list([...signed('+', entries), ...signed('−', issues)]);
}

const soldLines = (lines: InventoryFact<'SaleCompleted'>['lines'], say: Voice): string =>
  say.list(lines.map((line) => say.goods(line.quantity, line)));
