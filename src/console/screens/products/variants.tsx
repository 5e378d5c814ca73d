import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useCommand } from '../../client/queries.js';
import { Button, IconButton } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { Dialog } from '../../parts/dialog.js';
import { NumberField, TextField } from '../../parts/fields.js';
import { Folded } from '../../parts/folded.js';
import { Form, useForm } from '../../parts/form.js';
import { Section } from '../../parts/page.js';
import { rowsOf, Table } from '../../parts/table.js';
import { Why } from '../../parts/why.js';
import { withoutMarks } from '../../values/digits.js';
import { plainNumber, quantity, unitCost } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { Kit } from './kit.js';
import type { Product } from './product-values.js';
import { decimalsOf } from './product-values.js';
import { words } from './words.js';

type Variant = Product['variants'][number];

/** The grid of a product, and what a kit is made of. */
export function Variants({
  product,
  etag,
  canChange,
}: {
  readonly product: Product;
  readonly etag: string;
  readonly canChange: boolean;
}) {
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
            {
              id: 'label',
              title: t('variantLabel'),
              cell: ({ label, division, subdivision }) => (
                <>
                  {label ?? t('noLabel')}
                  {(division ?? subdivision) && (
                    <span class="fine block">{[division, subdivision].filter(Boolean).join(' · ')}</span>
                  )}
                </>
              ),
            },
            { id: 'gtin', title: t('gtin'), below: 'plain', cell: ({ gtin }) => gtin },
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
                <span class="with-why">
                  {unitCost(averageCost)}
                  {averageCost !== null && averageCost !== undefined && (
                    <Why what="average" id={id} label={t('averageCost')} />
                  )}
                </span>
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
      {(product.isComposite || canChange) && <Kit product={product} etag={etag} canChange={canChange} />}
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
  return <IconButton icon="edit" label={`${t('edit')}: ${label}`} onClick={onClick} />;
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
  const form = useForm({
    label: known?.label ?? '',
    division: known?.division ?? '',
    subdivision: known?.subdivision ?? '',
    sku: known?.sku ?? '',
    gtin: known?.gtin ?? '',
    netWeightKg: plainNumber(known?.netWeightKg, 10),
    packagingTareKg: plainNumber(known?.packagingTareKg, 10),
    tribUnitFactor: plainNumber(known?.tribUnitFactor, 10),
  });
  const path = { id: product.id };
  const save = useCommand({
    send: ({ label, division, subdivision, sku, gtin, ...own }: typeof form.values, headers) => {
      const fields = {
        label: label.trim() || null,
        division: division.trim() || null,
        subdivision: subdivision.trim() || null,
        sku: sku.trim() || null,
        ...decimalsOf(['netWeightKg', 'packagingTareKg', 'tribUnitFactor'], own),
        ...(gtin === (known?.gtin ?? '') ? {} : { gtin: withoutMarks(gtin) || null }),
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
        <TextField label={t('variantLabel')} {...form.field('label')} />
        <div class="fields">
          {(['division', 'subdivision'] as const).map((name) => (
            <TextField
              key={name}
              label={t(name)}
              hint={t(name === 'division' ? 'divisionHint' : 'subdivisionHint')}
              path={name}
              maxLength={60}
              value={form.values[name]}
              onValue={(value) => {
                form.set(name, value);
              }}
            />
          ))}
        </div>
        <TextField label={t('sku')} maxLength={30} {...form.field('sku')} />
        <TextField label={t('gtin')} hint={t('gtinHint')} inputMode="numeric" {...form.field('gtin')} />
        <Folded summary={t('ownWeight')}>
          {() => (
            <div class="fields">
              {(['netWeightKg', 'packagingTareKg', 'tribUnitFactor'] as const).map((name) => (
                <NumberField
                  key={name}
                  label={t(name)}
                  path={name}
                  unit={name === 'tribUnitFactor' ? undefined : 'kg'}
                  value={form.values[name]}
                  onValue={(value) => {
                    form.set(name, value);
                  }}
                />
              ))}
            </div>
          )}
        </Folded>
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
      send={(sent) => api.DELETE('/products/{id}/variants/{variantId}', { params: { path }, ...sent })}
      onClose={onClose}
    >
      {() => <p>{t('removeVariantLead', { name: variant.label ?? t('noLabel'), gtin: variant.gtin })}</p>}
    </DestructiveDialog>
  );
}
