import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useCommand } from '../../client/queries.js';
import { Button, IconButton } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { Dialog } from '../../parts/dialog.js';
import { NumberField, TextField } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { Section } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { rowsOf, Table } from '../../parts/table.js';
import { Why } from '../../parts/why.js';
import { VariantField } from '../../parts/variant-field.js';
import { quantity, readNumber, unitCost } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import type { Product } from './product-fields.js';
import { words } from './words.js';

type Variant = Product['variants'][number];

/** The grid of a product, and what a kit is made of. */
export function Variants({ product, canChange }: { readonly product: Product; readonly canChange: boolean }) {
  const t = useWords(words);
  const [edited, setEdited] = useState<Variant | 'new'>();
  return (
    <>
      <Section
        title={t('variants')}
        actions={
          canChange && (
            <Button
              icon="plus"
              onClick={() => {
                setEdited('new');
              }}
            >
              {t('addVariant')}
            </Button>
          )
        }
      >
        <Table
          label={t('variants')}
          rows={rowsOf(product.variants)}
          rowKey={({ id }) => id}
          empty=""
          columns={[
            { id: 'label', title: t('variantLabel'), cell: ({ label }) => label ?? t('noLabel') },
            { id: 'gtin', title: t('gtin'), cell: ({ gtin }) => gtin },
            { id: 'sku', title: t('sku'), wide: true, cell: ({ sku }) => sku ?? '–' },
            {
              id: 'stock',
              title: t('stock'),
              figure: true,
              cell: ({ stockQty }) => quantity(stockQty, product.saleUnit),
            },
            {
              id: 'cost',
              title: t('averageCost'),
              figure: true,
              wide: true,
              cell: ({ id, averageCost }) => (
                <>
                  {unitCost(averageCost)}
                  {averageCost !== null && averageCost !== undefined && (
                    <Why what="average" id={id} label={t('averageCost')} />
                  )}
                </>
              ),
            },
            {
              id: 'edit',
              title: '',
              cell: (variant) =>
                canChange && (
                  <EditButton
                    onClick={() => {
                      setEdited(variant);
                    }}
                    label={variant.label ?? product.description}
                  />
                ),
            },
          ]}
        />
      </Section>
      {(product.isComposite || canChange) && <Components product={product} canChange={canChange} />}
      {edited && (
        <VariantDialog
          product={product}
          variant={edited}
          onClose={() => {
            setEdited(undefined);
          }}
        />
      )}
    </>
  );
}

function EditButton({ onClick, label }: { readonly onClick: () => void; readonly label: string }) {
  const t = useWords(frame);
  return <IconButton icon="more" label={`${t('edit')}: ${label}`} onClick={onClick} />;
}

function Components({ product, canChange }: { readonly product: Product; readonly canChange: boolean }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const [isAdding, setAdding] = useState(false);
  const names = useNames(product.components.map(({ componentVariantId }) => componentVariantId));
  const change = useComponents(product);
  return (
    <Section
      title={t('kit')}
      actions={
        canChange && (
          <Button
            icon="plus"
            onClick={() => {
              setAdding(true);
            }}
          >
            {t('addComponent')}
          </Button>
        )
      }
    >
      <ProblemNote error={change.error} />
      <Table
        label={t('kit')}
        rows={rowsOf(product.components)}
        rowKey={({ componentVariantId }) => componentVariantId}
        empty={<p class="fine">{shared('none')}</p>}
        columns={[
          { id: 'name', title: t('description'), cell: (one) => names(one.componentVariantId)?.description ?? '…' },
          {
            id: 'quantity',
            title: shared('quantity'),
            figure: true,
            cell: (one) => quantity(one.quantity, names(one.componentVariantId)?.saleUnit),
          },
          {
            id: 'remove',
            title: '',
            figure: true,
            cell: ({ componentVariantId }) =>
              canChange && (
                <IconButton
                  icon="close"
                  label={`${shared('remove')}: ${names(componentVariantId)?.description ?? ''}`}
                  onClick={() => {
                    change.mutate(product.components.filter((one) => one.componentVariantId !== componentVariantId));
                  }}
                />
              ),
          },
        ]}
      />
      {isAdding && (
        <ComponentDialog
          product={product}
          onClose={() => {
            setAdding(false);
          }}
        />
      )}
    </Section>
  );
}

type Component = Pick<Product['components'][number], 'componentVariantId' | 'quantity'>;

/** A product with components is a kit, and one without is none. */
const useComponents = (product: Product, onDone?: () => void) =>
  useCommand({
    send: (components: readonly Component[], headers) =>
      body(
        api.PATCH('/products/{id}', {
          params: { path: { id: product.id } },
          body: {
            isComposite: components.length > 0,
            components: components.map(({ componentVariantId, quantity: amount }) => ({
              componentVariantId,
              quantity: amount,
            })),
          },
          headers,
        }),
      ),
    kinds: ['product'],
    onDone: () => onDone?.(),
  });

function ComponentDialog({ product, onClose }: { readonly product: Product; readonly onClose: () => void }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const form = useForm({ variantId: '', quantity: '1' });
  const change = useComponents(product, onClose);
  return (
    <Dialog title={t('addComponent')} onClose={onClose}>
      <Form
        sending={change}
        submit={shared('add')}
        cancel={onClose}
        onSubmit={() => {
          const { variantId, quantity: typed } = form.values;
          change.mutate([...product.components, { componentVariantId: variantId, quantity: readNumber(typed) ?? 0 }]);
        }}
      >
        <VariantField
          label={t('description')}
          required
          value={form.values.variantId === '' ? undefined : form.values.variantId}
          onPick={(label) => {
            form.set('variantId', label?.variantId ?? '');
          }}
        />
        <NumberField
          label={shared('quantity')}
          required
          value={form.values.quantity}
          onValue={(value) => {
            form.set('quantity', value);
          }}
        />
      </Form>
    </Dialog>
  );
}

function VariantDialog({
  product,
  variant,
  onClose,
}: {
  readonly product: Product;
  readonly variant: Variant | 'new';
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const shared = useWords(frame);
  const known = variant === 'new' ? undefined : variant;
  const form = useForm({ label: known?.label ?? '', sku: known?.sku ?? '', gtin: known?.gtin ?? '' });
  const path = { id: product.id };
  const save = useCommand({
    send: ({ label, sku, gtin }: typeof form.values, headers) => {
      const fields = {
        label: label.trim() || null,
        sku: sku.trim() || null,
        ...(gtin === (known?.gtin ?? '') ? {} : { gtin: gtin.trim() || null }),
      };
      return known
        ? body(
            api.PATCH('/products/{id}/variants/{variantId}', {
              params: { path: { ...path, variantId: known.id } },
              body: fields,
              headers,
            }),
          )
        : body(api.POST('/products/{id}/variants', { params: { path }, body: fields, headers }));
    },
    kinds: ['product'],
    onDone: onClose,
  });
  const [isRemoving, setRemoving] = useState(false);
  if (known && isRemoving) return <DeleteVariant product={product} variant={known} onClose={onClose} />;
  return (
    <Dialog title={known ? (known.label ?? product.description) : t('addVariant')} onClose={onClose}>
      <Form
        sending={save}
        submit={shared('save')}
        cancel={onClose}
        form={form}
        onSubmit={() => {
          save.mutate(form.values);
        }}
        extra={
          known &&
          product.variants.length > 1 && (
            <Button
              look="danger"
              icon="bin"
              onClick={() => {
                setRemoving(true);
              }}
            >
              {t('removeVariant')}
            </Button>
          )
        }
      >
        <TextField
          label={t('variantLabel')}
          path="label"
          value={form.values.label}
          onValue={(value) => {
            form.set('label', value);
          }}
        />
        <TextField
          label={t('sku')}
          path="sku"
          maxLength={30}
          value={form.values.sku}
          onValue={(value) => {
            form.set('sku', value);
          }}
        />
        <TextField
          label={t('gtin')}
          path="gtin"
          hint={t('gtinHint')}
          inputMode="numeric"
          value={form.values.gtin}
          onValue={(value) => {
            form.set('gtin', value);
          }}
        />
      </Form>
    </Dialog>
  );
}

function DeleteVariant({
  product,
  variant,
  onClose,
}: {
  readonly product: Product;
  readonly variant: Variant;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const path = { id: product.id, variantId: variant.id };
  return (
    <DestructiveDialog
      title={t('removeVariant')}
      subject={['variant', variant.id]}
      kinds={['product', 'lot']}
      send={(headers, _, signal) =>
        api.DELETE('/products/{id}/variants/{variantId}', { params: { path }, headers, ...(signal ? { signal } : {}) })
      }
      onClose={onClose}
    >
      {() => <p>{t('removeVariantLead', { name: variant.label ?? t('noLabel'), gtin: variant.gtin })}</p>}
    </DestructiveDialog>
  );
}
