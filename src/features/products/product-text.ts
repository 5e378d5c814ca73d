/**
 * The stored text of a product, taken apart without reading all of it: a list of a hundred products is otherwise read and written
 * twice. A text that begins or ends otherwise is not known here, and the product is then joined member by member.
 */
export interface ProductText {
  readonly id: string;
  /** `"id":"…","categoryId":…` up to what is joined, and what follows. */
  readonly head: string;
  readonly middle: string;
  /** What the product names: they must live for the text to be told as it stands. */
  readonly categoryId: string | null;
  readonly brandId: string | null;
  readonly tagIds: readonly string[];
  readonly variants: readonly VariantText[];
}

/** `{"id":"…",`, then what is joined, then the rest. */
interface VariantText {
  readonly id: string;
  readonly rest: string;
}

const ID = '[\\da-f-]{36}';
const REFERENCE = `(?:null|"(${ID})")`;
/** A plain product: of a kit, stock and parts are worked out. */
const HEAD = new RegExp(
  `^\\{"id":"(${ID})","categoryId":${REFERENCE},"brandId":${REFERENCE},"tagIds":\\[((?:"${ID}",?)*)\\],"isComposite":false,"expectedComponentCount":null,`,
);

// No text within JSON holds these: its quotes would be escaped.
const VARIANTS = '"variants":[';
const VARIANT = '{"id":"';
const ID_LENGTH = 36;
/** The rest begins behind the id, a quote and a comma. */
const BEFORE_REST = ID_LENGTH + 2;
const END = ']}';

export function productText(body: string): ProductText | undefined {
  const head = HEAD.exec(body);
  const start = body.indexOf(VARIANTS);
  if (!head || start < 0 || !body.endsWith(END)) return undefined;
  const [all, id = '', categoryId = null, brandId = null, tagIds = ''] = head;
  const texts = body.slice(start + VARIANTS.length, -END.length).split(VARIANT);
  if (texts.shift() !== '' || texts.length === 0) return undefined;
  return {
    id,
    head: all,
    middle: body.slice(all.length, start + VARIANTS.length),
    categoryId,
    brandId,
    tagIds: tagIds === '' ? [] : tagIds.split(',').map((id) => id.slice(1, -1)),
    variants: texts.map((text) => ({ id: text.slice(0, ID_LENGTH), rest: text.slice(BEFORE_REST) })),
  };
}

/** The product as it is told: with what lies apart from it, given as JSON members that end with a comma. */
export function joinedText(
  { head, middle, variants }: ProductText,
  joins: { readonly product: string; variant(id: string): string },
): string {
  let text = head + joins.product + middle;
  for (const { id, rest } of variants) text += `${VARIANT}${id}",${joins.variant(id)}${rest}`;
  return text + END;
}
