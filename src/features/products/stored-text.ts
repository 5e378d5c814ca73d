import type { KitPart } from '../../../projections/products/kits.js';

/**
 * A product as its read model stores it, taken apart without parsing it: lists join hundreds of them to their stock, kits and living
 * references. Within a text of JSON every quote is escaped, so what is looked for here stands between members alone.
 */
export interface StoredText {
  readonly id: string;
  /** Empty for none. */
  readonly categoryId: string;
  readonly brandId: string;
  readonly tagIds: readonly string[];
  readonly isComposite: boolean;
  readonly expectedComponentCount: number | null;
  /** The members between these and the variants. */
  readonly middle: string;
  readonly variants: readonly VariantText[];
}

interface VariantText {
  readonly id: string;
  /** What follows its id, up to its closing brace. */
  readonly rest: string;
}

const HEAD =
  /^\{"id":"([^"]*)","categoryId":(?:null|"([^"]*)"),"brandId":(?:null|"([^"]*)"),"tagIds":\[([^\]]*)\],"isComposite":(true|false),"expectedComponentCount":(null|[0-9]+),/;
const VARIANTS = ',"variants":[';
const VARIANT = '{"id":"';

const NO_TAGS: readonly string[] = [];
const NO_PARTS: readonly KitPart[] = [];

export function storedText(body: string): StoredText {
  const head = HEAD.exec(body);
  const variants = body.indexOf(VARIANTS);
  if (!head || variants < 0) throw new Error('a product is stored in another form than this program reads');
  const [whole, id = '', categoryId = '', brandId = '', tags = '', composite, count] = head;
  return {
    id,
    categoryId,
    brandId,
    tagIds: tags === '' ? NO_TAGS : tags.slice(1, -1).split('","'),
    isComposite: composite === 'true',
    expectedComponentCount: count === 'null' ? null : Number(count),
    middle: body.slice(whole.length, variants),
    variants: variantTexts(body, variants + VARIANTS.length),
  };
}

function variantTexts(body: string, from: number): readonly VariantText[] {
  const found: VariantText[] = [];
  let start = body.indexOf(VARIANT, from);
  while (start >= 0) {
    const idEnd = body.indexOf('"', start + VARIANT.length);
    const next = body.indexOf(VARIANT, idEnd);
    // Behind a variant stands a comma, or the ends of list and product.
    const end = next < 0 ? body.length - ']}'.length : next - ','.length;
    found.push({ id: body.slice(start + VARIANT.length, idEnd), rest: body.slice(idEnd + 1, end - 1) });
    start = next;
  }
  return found;
}

export interface Joined {
  readonly categoryId: string | null;
  readonly brandId: string | null;
  readonly tagIds: readonly string[];
  readonly components: readonly KitPart[] | undefined;
  readonly stockQty: number;
  readonly averageCost: number | null;
  /** JSON of the members that each variant gets, in the variants' order. */
  readonly variants: readonly string[];
}

const idText = (id: string | null): string => (id === null ? 'null' : `"${id}"`);

/** The JSON of the answer. */
export function answerText(text: StoredText, joined: Joined): string {
  const { expectedComponentCount: expected } = text;
  const { components = NO_PARTS } = joined;
  const tags = joined.tagIds.length === 0 ? '' : `"${joined.tagIds.join('","')}"`;
  const parts = components.length === 0 ? '[]' : JSON.stringify(components);
  const variants = text.variants.map(({ id, rest }, index) => `{"id":"${id}",${joined.variants[index] ?? ''}${rest}}`);
  return (
    `{"id":"${text.id}","categoryId":${idText(joined.categoryId)},"brandId":${idText(joined.brandId)},"tagIds":[${tags}],` +
    `"isComposite":${String(text.isComposite)},"expectedComponentCount":${String(expected)},"components":${parts},` +
    `"componentsComplete":${String(expected === null || expected === components.length)},` +
    `"stockQty":${String(joined.stockQty)},"averageCost":${String(joined.averageCost)},` +
    `${text.middle}${VARIANTS}${variants.join(',')}]}`
  );
}
