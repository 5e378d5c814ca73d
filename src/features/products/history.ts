import type { Histories, Voice } from '../../kernel/events/history.js';
import { entity } from '../../kernel/events/history.js';
import type { ReservationEvent } from '../../kernel/patterns/reservation.js';
import type { KitEvent, ProductEvent } from './events.js';

type Changes = Extract<ProductEvent, { readonly type: 'ProductChanged' }>['data']['changes'];

const product = (id: string) => entity('product', id);
const variant = (id: string) => entity('variant', id);
const about = ({ productId }: { readonly productId: string }) => [product(productId)];

type VariantChanges = Extract<ProductEvent, { readonly type: 'VariantChanged' }>['data']['changes'];
type FieldWords = Readonly<Record<keyof Changes | keyof VariantChanges, string>>;

const PT_FIELDS: FieldWords = {
  description: 'descrição',
  priceCash: 'preço à vista',
  priceCredit: 'preço a prazo',
  profitMargin: 'margem',
  managerialCost: 'custo gerencial',
  costPrice: 'custo fiscal',
  categoryId: 'categoria',
  brandId: 'marca',
  tagIds: 'etiquetas',
  active: 'ativo',
  ncm: 'NCM',
  issueBy: 'ordem de saída dos lotes',
  catalogDescription: 'descrição no catálogo online',
  productType: 'tipo',
  isComposite: 'kit',
  expectedComponentCount: 'número de componentes',
  availableForDelivery: 'no catálogo online',
  isFavorite: 'favorito no caixa',
  controlsLots: 'controle de lotes',
  sku: 'código interno',
  saleUnit: 'unidade',
  unitVolumeLiters: 'volume em litros',
  cest: 'CEST',
  issServiceCode: 'código do serviço',
  nbsCode: 'NBS',
  issRate: 'alíquota do ISS',
  issRetained: 'retenção do ISS',
  netWeightKg: 'peso líquido',
  packagingTareKg: 'tara da embalagem',
  volumeSpecies: 'espécie do volume',
  tribUnit: 'unidade tributável',
  tribUnitFactor: 'fator da unidade tributável',
  ipiUnitValue: 'IPI por unidade',
  ipiBaseMode: 'base do IPI',
  ipiInStBase: 'IPI na base da ST',
  pisUnitValue: 'PIS por unidade',
  cofinsUnitValue: 'COFINS por unidade',
  taxRuleId: 'regra fiscal',
  label: 'nome',
  division: 'divisão',
  subdivision: 'subdivisão',
  gtin: 'código de barras',
};
const EN_FIELDS: FieldWords = {
  description: 'description',
  active: 'active',
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
  catalogDescription: 'description in the online catalogue',
  productType: 'kind',
  isComposite: 'kit',
  expectedComponentCount: 'number of components',
  availableForDelivery: 'in the online catalogue',
  isFavorite: 'favourite at the till',
  controlsLots: 'control of lots',
  sku: 'internal code',
  saleUnit: 'unit',
  unitVolumeLiters: 'volume in litres',
  cest: 'CEST',
  issServiceCode: 'service code',
  nbsCode: 'NBS',
  issRate: 'ISS rate',
  issRetained: 'retention of ISS',
  netWeightKg: 'net weight',
  packagingTareKg: 'tare of the packaging',
  volumeSpecies: 'kind of volume',
  tribUnit: 'taxable unit',
  tribUnitFactor: 'factor of the taxable unit',
  ipiUnitValue: 'IPI by unit',
  ipiBaseMode: 'base of the IPI',
  ipiInStBase: 'IPI in the ST base',
  pisUnitValue: 'PIS by unit',
  cofinsUnitValue: 'COFINS by unit',
  taxRuleId: 'tax rule',
  label: 'name',
  division: 'division',
  subdivision: 'subdivision',
  gtin: 'barcode',
};

type AnyChanges = Changes & VariantChanges;

/** Texts by which people know goods, and the unit in which all of them are counted. */
const QUOTED: ReadonlySet<keyof FieldWords> = new Set([
  'description',
  'label',
  'gtin',
  'ncm',
  'sku',
  'saleUnit',
] as const);

const quoted = (text: string | null): string => (text === null ? '–' : `«${text}»`);

/** What changed; prices, what is or is not, and the texts by which goods are known, with what they were before. */
function changedFields(changes: AnyChanges, was: AnyChanges, words: FieldWords, say: Voice): string {
  const parts = (Object.keys(changes) as (keyof FieldWords)[]).map((field) => {
    const word = words[field];
    const [before, after] = [was[field], changes[field]];
    if (field === 'priceCash' || field === 'priceCredit') {
      return `${word} ${say.money(before as never)} → ${say.money(after as never)}`;
    }
    if (typeof before === 'boolean' && typeof after === 'boolean') {
      return `${word} ${say.flag(before)} → ${say.flag(after)}`;
    }
    if (!QUOTED.has(field)) return word;
    return `${word} ${quoted(before as string | null)} → ${quoted(after as string | null)}`;
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
    pt: ({ variantId, changes, was }, say) =>
      `A variação ${say.name('variant', variantId)} foi alterada: ${changedFields(changes, was, PT_FIELDS, say)}.`,
    en: ({ variantId, changes, was }, say) =>
      `The variant ${say.name('variant', variantId)} was changed: ${changedFields(changes, was, EN_FIELDS, say)}.`,
  },
  VariantRemoved: {
    about: ({ productId, variantId }) => [product(productId), variant(variantId)],
    pt: ({ variantId }, say) => `A variação ${say.name('variant', variantId)} foi excluída.`,
    en: ({ variantId }, say) => `The variant ${say.name('variant', variantId)} was removed.`,
  },
  ProductDeleted: {
    about: ({ productId, variantIds }) => [product(productId), ...variantIds.map(variant)],
    pt: ({ productId }, say) => `O produto ${say.name('product', productId)} foi excluído.`,
    en: ({ productId }, say) => `The product ${say.name('product', productId)} was deleted.`,
  },
  ProductClaimDropped: {
    about,
    pt: ({ productId }, say) =>
      `Um código que o produto ${say.name('product', productId)} ainda não tinha confirmado passou a outro.`,
    en: ({ productId }, say) =>
      `A code that the product ${say.name('product', productId)} had not yet confirmed went to another.`,
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
            components.map(({ quantity, componentVariantId }) => say.goods(quantity, componentVariantId)),
          )}.`,
    en: ({ productId, components }, say) =>
      components.length === 0
        ? `The product ${say.name('product', productId)} is no kit any more.`
        : `The kit ${say.name('product', productId)} was given its parts: ${say.list(
            components.map(({ quantity, componentVariantId }) => say.goods(quantity, componentVariantId)),
          )}.`,
  },
  ProductKeptOutOfKits: {
    about,
    pt: ({ productId }, say) =>
      `O produto ${say.name('product', productId)} não entra mais em kits: vai ser um serviço.`,
    en: ({ productId }, say) =>
      `The product ${say.name('product', productId)} enters no kit any more: it is to become a service.`,
  },
  ProductLetIntoKits: {
    about,
    pt: ({ productId }, say) => `O produto ${say.name('product', productId)} pode entrar em kits de novo.`,
    en: ({ productId }, say) => `The product ${say.name('product', productId)} may enter kits again.`,
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
