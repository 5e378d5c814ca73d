import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { joinedText, productText } from '../../../src/features/products/product-text.js';

const uuid = fc.uuid();
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"variants":[', '{"id":"', ']}', '},{"id":"x', '\\', '\u0000'),
);
const product = fc.record({
  id: uuid,
  categoryId: fc.option(uuid),
  brandId: fc.option(uuid),
  tagIds: fc.array(uuid, { maxLength: 3 }),
  isComposite: fc.constant(false),
  expectedComponentCount: fc.constant(null),
  description: text,
  priceCash: fc.integer(),
  variants: fc.array(fc.record({ id: uuid, label: fc.option(text), sku: text }), { minLength: 1, maxLength: 3 }),
});

test('a product is told by its text as it would be member by member', () => {
  fc.assert(
    fc.property(product, (stored) => {
      const known = productText(JSON.stringify(stored));
      if (!known) throw new Error('the text is not known');
      expect(known).toMatchObject({
        categoryId: stored.categoryId,
        brandId: stored.brandId,
        tagIds: stored.tagIds,
        variants: stored.variants.map(({ id }) => ({ id })),
      });
      const told = joinedText(known, { product: '"stockQty":7,', variant: (id) => `"of":"${id}",` });
      const variants = stored.variants.map((variant) => ({ ...variant, of: variant.id }));
      expect(JSON.parse(told)).toEqual({ ...stored, stockQty: 7, variants });
    }),
  );
});

test('a kit, and a text of another form, are not known', () => {
  const plain = fc.sample(product, 1)[0];
  expect(productText(JSON.stringify({ ...plain, isComposite: true }))).toBeUndefined();
  expect(productText(JSON.stringify({ ...plain, expectedComponentCount: 2 }))).toBeUndefined();
  expect(productText(JSON.stringify({ description: 'x', ...plain }))).toBeUndefined();
  expect(productText(JSON.stringify({ ...plain, variants: [] }))).toBeUndefined();
  expect(productText(JSON.stringify({ ...plain, updatedAt: '' }))).toBeUndefined();
});
