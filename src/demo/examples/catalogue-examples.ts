import { example, made } from './example.js';

const namedSet = (
  path: string,
  { reference, name, another }: Readonly<Record<'reference' | 'name' | 'another', string>>,
) => [
  example(`GET ${path}`),
  example(`POST ${path}`, { body: { name } }),
  example(`GET ${path}/{id}`, { params: { id: reference } }),
  example(`PATCH ${path}/{id}`, { params: { id: made(`POST ${path}`) }, body: { name: another } }),
  example(`GET ${path}/{id}/products`, { params: { id: reference }, query: { take: '10' } }),
  example(`DELETE ${path}/{id}`, { params: { id: made(`POST ${path}`) } }),
];

const PRODUCT = made('POST /products');
const PRODUCTS = 'POST /products';

/** Categories, brands, tags and products, in the order in which they work. */
export const CATALOGUE_EXAMPLES = [
  ...namedSet('/categories', { reference: '{{category Pães}}', name: 'Congelados', another: 'Congelados e gelados' }),
  ...namedSet('/brands', {
    reference: '{{brand Moinho Dourado}}',
    name: 'Sítio do Sol',
    another: 'Sítio do Sol Orgânicos',
  }),
  ...namedSet('/product-tags', { reference: '{{tag Vegano}}', name: 'Sem açúcar', another: 'Sem adição de açúcar' }),
  example('POST /categories/bulk-delete', { body: { ids: ['{{category Embalagens de presente}}'] } }),
  example('POST /product-tags/bulk-delete', { body: { ids: ['{{tag Antigo}}'] } }),
  example('GET /categories/seed/profiles'),
  example('POST /categories/seed/suggest', { body: { useAi: false } }),
  example('POST /categories/seed/apply', { body: { items: [{ name: 'Sorvetes', defaultNcm: '21050010' }] } }),
  example('POST /categories/{id}/apply-ncm', { params: { id: '{{category Embalagens}}' } }),
  example('GET /products', { query: { q: 'pao', take: '10' } }),
  example('POST /products', {
    body: {
      description: 'Pão de Centeio',
      sku: 'PAO-090',
      priceCash: 14.9,
      priceCredit: 15.9,
      managerialCost: 5.2,
      categoryId: '{{category Pães}}',
      brandId: '{{brand Fabricação própria}}',
      tagIds: ['{{tag Integral}}'],
      ncm: '19052090',
      netWeightKg: '0.4',
      controlsLots: true,
    },
  }),
  example('GET /products/{id}', { params: { id: '{{product PAO-003}}' } }),
  example('PATCH /products/{id}', { params: { id: PRODUCT }, body: { priceCash: 15.5, isFavorite: true } }),
  example('GET /products/description-match', { query: { description: 'pao de leite' } }),
  example('GET /products/variant-labels', { query: { ids: '{{variant PAO-003}}' } }),
  example('GET /products/by-gtin/{gtin}', { params: { gtin: made(PRODUCTS, 'gtin') } }),
  example('PUT /products/{id}/tags', {
    params: { id: PRODUCT },
    body: { tagIds: ['{{tag Vegano}}', '{{tag Integral}}'] },
  }),
  example('POST /products/{id}/variants', { params: { id: PRODUCT }, body: { label: 'Fatiado' } }),
  example('PATCH /products/{id}/variants/{variantId}', {
    params: { id: PRODUCT, variantId: made('POST /products/{id}/variants') },
    body: { label: 'Fatiado fino' },
  }),
  example('DELETE /products/{id}/variants/{variantId}', {
    params: { id: PRODUCT, variantId: made('POST /products/{id}/variants') },
  }),
  example('DELETE /categories/{id}/products/{productId}', { params: { id: '{{category Pães}}', productId: PRODUCT } }),
  example('DELETE /brands/{id}/products/{productId}', {
    params: { id: '{{brand Fabricação própria}}', productId: PRODUCT },
  }),
  example('DELETE /product-tags/{id}/products/{productId}', { params: { id: '{{tag Vegano}}', productId: PRODUCT } }),
  example('DELETE /products/{id}', { params: { id: PRODUCT } }),
  example('GET /customers', { query: { q: 'ana' } }),
  example('POST /customers', {
    body: {
      name: 'Renata Moreira',
      document: '390.533.447-05',
      email: 'renata@exemplo.com.br',
      phone: '+5511987650199',
    },
  }),
  example('GET /customers/{id}', { params: { id: '{{customer Ana Beatriz Ferreira}}' } }),
  example('PATCH /customers/{id}', { params: { id: made('POST /customers') }, body: { phone: '+5511987650200' } }),
  example('POST /customers/{id}/erase', { params: { id: made('POST /customers') } }),
];
