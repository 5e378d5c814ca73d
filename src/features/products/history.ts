import type { Histories, Voice } from '../../kernel/events/history.js';
import { entity } from '../../kernel/events/history.js';
import type { ReservationEvent } from '../../kernel/patterns/reservation.js';
import type { KitEvent, ProductEvent } from './events.js';

type Changes = Extract<ProductEvent, { readonly type: 'ProductChanged' }>['data']['changes'];

const product = (id: string) => entity('product', id);
const variant = (id: string) => entity('variant', id);
const about = ({ productId }: { readonly productId: string }) => [product(productId)];

const PT_FIELDS: Readonly<Partial<Record<keyof Changes, string>>> = {
  description: 'descrição',
  priceCash: 'preço à vista',
  priceCredit: 'preço a prazo',
  profitMargin: 'margem',
  managerialCost: 'custo gerencial',
  costPrice: 'custo fiscal',
  categoryId: 'categoria',
  brandId: 'marca',
  tagIds: 'etiquetas',
  active: 'situação',
  ncm: 'NCM',
  issueBy: 'ordem de saída dos lotes',
};
const EN_FIELDS: Readonly<Partial<Record<keyof Changes, string>>> = {
  priceCash: 'cash price',
  priceCredit: 'credit price',
  profitMargin: 'margin',
  managerialCost: 'managerial cost',
  costPrice: 'fiscal cost',
  categoryId: 'category',
  brandId: 'brand',
  tagIds: 'tags',
  ncm: 'NCM',
  issueBy: 'order in which lots leave',
};

/** What changed, with the prices before and after. */
function changedFields(
  changes: Changes,
  was: Changes,
  words: Readonly<Partial<Record<keyof Changes, string>>>,
  say: Voice,
): string {
  const parts = (Object.keys(changes) as (keyof Changes)[]).map((field) => {
    const word = words[field] ?? field;
    const [before, after] = [was[field], changes[field]];
    if (field === 'priceCash' || field === 'priceCredit') {
      return `${word} ${say.money(before as never)} → ${say.money(after as never)}`;
    }
    return field === 'description' ? `${word} «${String(before)}» → «${String(after)}»` : word;
  });
  return say.list(parts);
}

export const productHistory: Histories<ProductEvent> = {
  ProductCreated: {
    about: ({ productId, variants }) => [product(productId), ...variants.map(({ id }) => variant(id))],
    pt: ({ product: { description, priceCash } }, say) =>
      `O produto ${description} foi cadastrado, a ${say.money(priceCash)}.`,
    en: ({ product: { description, priceCash } }, say) =>
      `The product ${description} was created, at ${say.money(priceCash)}.`,
  },
  ProductChanged: {
    about,
    pt: ({ productId, changes, was }, say) =>
      `O produto ${say.name('product', productId)} foi alterado: ${changedFields(changes, was, PT_FIELDS, say) || 'componentes do kit'}.`,
    en: ({ productId, changes, was }, say) =>
      `The product ${say.name('product', productId)} was changed: ${changedFields(changes, was, EN_FIELDS, say) || 'parts of the kit'}.`,
  },
  VariantAdded: {
    about: ({ productId, variant: { id } }) => [product(productId), variant(id)],
    pt: ({ productId, variant }, say) =>
      `A variação ${variant.label ?? variant.gtin} foi acrescentada ao produto ${say.name('product', productId)}.`,
    en: ({ productId, variant }, say) =>
      `The variant ${variant.label ?? variant.gtin} was added to the product ${say.name('product', productId)}.`,
  },
  VariantChanged: {
    about: ({ productId, variantId }) => [product(productId), variant(variantId)],
    pt: ({ variantId, changes }, say) =>
      `A variação ${say.name('variant', variantId)} foi alterada: ${say.list(Object.keys(changes))}.`,
    en: ({ variantId, changes }, say) =>
      `The variant ${say.name('variant', variantId)} was changed: ${say.list(Object.keys(changes))}.`,
  },
  VariantRemoved: {
    about: ({ productId, variantId }) => [product(productId), variant(variantId)],
    pt: ({ productId }, say) => `Uma variação do produto ${say.name('product', productId)} foi excluída.`,
    en: ({ productId }, say) => `A variant of the product ${say.name('product', productId)} was removed.`,
  },
  ProductDeleted: {
    about: ({ productId, variantIds }) => [product(productId), ...variantIds.map(variant)],
    pt: ({ productId }, say) => `O produto ${say.name('product', productId)} foi excluído.`,
    en: ({ productId }, say) => `The product ${say.name('product', productId)} was deleted.`,
  },
  ProductClaimDropped: {
    about,
    pt: () => 'Um código que o produto ainda não tinha confirmado passou a outro.',
    en: () => 'A code that the product had not yet confirmed went to another.',
  },
};

export const kitHistory: Histories<KitEvent> = {
  KitComponentsReplaced: {
    about: ({ productId, components }) => [
      product(productId),
      ...components.map(({ componentProductId }) => product(componentProductId)),
    ],
    pt: ({ productId, components }, say) =>
      components.length === 0
        ? `O produto ${say.name('product', productId)} deixou de ser um kit.`
        : `O kit ${say.name('product', productId)} passou a ter: ${say.list(
            components.map(
              ({ quantity, componentVariantId }) =>
                `${say.number(quantity)} × ${say.name('variant', componentVariantId)}`,
            ),
          )}.`,
    en: ({ productId, components }, say) =>
      components.length === 0
        ? `The product ${say.name('product', productId)} is no kit any more.`
        : `The kit ${say.name('product', productId)} was given its parts: ${say.list(
            components.map(
              ({ quantity, componentVariantId }) =>
                `${say.number(quantity)} × ${say.name('variant', componentVariantId)}`,
            ),
          )}.`,
  },
};

const aboutOwner = ({ ownerId }: { readonly ownerId: string }) => [product(ownerId)];

export const codeHistory: Histories<ReservationEvent<'CodeHeld', 'CodeReleased'>> = {
  CodeHeld: {
    about: aboutOwner,
    pt: ({ ownerId }, say) => `Um código foi reservado para o produto ${say.name('product', ownerId)}.`,
    en: ({ ownerId }, say) => `A code was reserved for the product ${say.name('product', ownerId)}.`,
  },
  CodeReleased: {
    about: aboutOwner,
    pt: ({ ownerId }, say) => `Um código do produto ${say.name('product', ownerId)} ficou livre.`,
    en: ({ ownerId }, say) => `A code of the product ${say.name('product', ownerId)} became free.`,
  },
};
