import { useState } from 'preact/hooks';
import type { Tagged } from '../../client/api.js';
import { api, tagged } from '../../client/api.js';
import { ifMatch, useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import type { Choice } from '../../parts/fields.js';
import { Form } from '../../parts/form.js';
import { useGoOn } from '../../parts/go-on.js';
import { HistoryLink } from '../../parts/last-change.js';
import { Link } from '../../parts/link.js';
import { Facts, Page, Section } from '../../parts/page.js';
import { useRecordForm, useSaving } from '../../parts/record-form.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { moment, quantity, unitCost } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { useNamed } from './named-choices.js';
import { ProductFields } from './product-fields.js';
import type { Product, ProductValues } from './product-values.js';
import { bodyOf, valuesOf } from './product-values.js';
import { ProductTags } from './product-tags.js';
import { Variants } from './variants.js';
import { words } from './words.js';

const useProduct = (id: string) =>
  useRead({
    key: ['product', id],
    kinds: ['product', 'lot', 'sale', 'order'],
    read: (signal) => tagged(api.GET('/products/{id}', { params: { path: { id } }, signal })),
  });

export function ProductPage({ id }: { readonly id: string }) {
  const reading = useProduct(id);
  return <Shown reading={reading}>{(product) => <OneProduct product={product} />}</Shown>;
}

const FIELD_NAMES: Readonly<Partial<Record<keyof ProductValues, keyof typeof words>>> = {
  saleUnit: 'unit',
  productType: 'type',
  categoryId: 'category',
  brandId: 'brand',
  isFavorite: 'favorite',
  availableForDelivery: 'delivery',
};

const TYPES = { MERCHANDISE: 'oneMerchandise', SERVICE: 'oneService' } as const;
const ORDERS = { ENTRY: 'byEntry', EXPIRY: 'byExpiry' } as const;

/** What is chosen of a list, as the list says it. */
function useValueText(): (field: keyof ProductValues, values: ProductValues) => string | undefined {
  const t = useWords(words);
  const categories = useNamed('/categories');
  const brands = useNamed('/brands');
  const called = (choices: readonly Choice[], id: string) => choices.find(({ value }) => value === id)?.label;
  return (field, { categoryId, brandId, productType, issueBy }) => {
    if (field === 'categoryId') return called(categories, categoryId);
    if (field === 'brandId') return called(brands, brandId);
    if (field === 'productType') return t(TYPES[productType]);
    return field === 'issueBy' ? t(ORDERS[issueBy]) : undefined;
  };
}

function OneProduct({ product }: { readonly product: Tagged<Product> }) {
  const t = useWords(words);
  const may = useMay();
  const { record } = product;
  const [isDeleting, setDeleting] = useState(false);
  const valueText = useValueText();
  const form = useRecordForm(product, valuesOf, (field) => t(FIELD_NAMES[field] ?? (field as keyof typeof words)), {
    history: { kind: 'product', id: record.id },
    valueText,
  });
  const change = useCommand({
    send: (values: ProductValues, headers) =>
      tagged(
        api.PATCH('/products/{id}', {
          params: { path: { id: record.id } },
          body: bodyOf(values, form.before),
          headers: ifMatch(headers, form),
        }),
      ),
    kinds: ['product'],
    onDone: (answer, sent) => {
      form.saved(sent, answer);
    },
  });
  const canChange = may('products.manage');
  return (
    <Page
      title={record.description}
      back={{ href: '/produtos', label: t('title') }}
      actions={
        canChange && (
          <Button
            icon="bin"
            look="danger"
            onClick={() => {
              setDeleting(true);
            }}
          >
            {t('delete')}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          [
            t('stock'),
            <Link key="stock" href={`/estoque/movimentos?variantId=${record.variants[0]?.id ?? ''}`}>
              {quantity(record.stockQty, record.saleUnit)}
            </Link>,
          ],
          [t('averageCost'), unitCost(record.averageCost)],
          [
            t('active'),
            <Status key="status" tone={record.active ? 'good' : 'calm'}>
              {record.active ? t('active') : t('inactive')}
            </Status>,
          ],
          [
            t('saved'),
            <HistoryLink key="saved" kind="product" id={record.id}>
              {moment(record.updatedAt)}
            </HistoryLink>,
          ],
        ]}
      />
      <Section title={t('basics')}>
        <Form
          sending={change}
          {...useSaving(form, change, canChange)}
          form={form}
          conflict={form.conflict}
          onSubmit={() => {
            change.mutate(form.values);
          }}
        >
          <ProductFields form={form} disabled={!canChange} />
        </Form>
      </Section>
      <ProductTags product={product} canChange={canChange} />
      <Variants product={record} etag={product.etag} canChange={canChange} />
      {isDeleting && (
        <DeleteProduct
          product={product}
          onClose={() => {
            setDeleting(false);
          }}
        />
      )}
    </Page>
  );
}

function DeleteProduct({ product, onClose }: { readonly product: Tagged<Product>; readonly onClose: () => void }) {
  const t = useWords(words);
  const goOn = useGoOn();
  const { id } = product.record;
  return (
    <DestructiveDialog
      title={t('delete')}
      subject={['product', id]}
      etag={product.etag}
      kinds={['product', 'lot']}
      send={(sent) =>
        api.DELETE('/products/{id}', {
          params: { path: { id } },
          ...sent,
        })
      }
      onDone={() => {
        goOn('/produtos', { replace: true });
      }}
      onClose={onClose}
    >
      {() => <p>{t('deleteLead')}</p>}
    </DestructiveDialog>
  );
}
