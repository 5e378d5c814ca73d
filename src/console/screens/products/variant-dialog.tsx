import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { ifMatch, useCommand } from '../../client/queries.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogForm } from '../../parts/dialog-form.js';
import { NumberField, TextField } from '../../parts/fields.js';
import { Folded } from '../../parts/folded.js';
import { useRecordForm } from '../../parts/record-form.js';
import { withoutMarks } from '../../values/digits.js';
import { plainNumber } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Product } from './product-values.js';
import { decimalsOf } from './product-values.js';
import { words } from './words.js';

export type Variant = Product['variants'][number];

const FIGURES = ['netWeightKg', 'packagingTareKg', 'tribUnitFactor'] as const;

const valuesOf = (known: Variant | undefined) => ({
  label: known?.label ?? '',
  division: known?.division ?? '',
  subdivision: known?.subdivision ?? '',
  sku: known?.sku ?? '',
  gtin: known?.gtin ?? '',
  netWeightKg: plainNumber(known?.netWeightKg, 10),
  packagingTareKg: plainNumber(known?.packagingTareKg, 10),
  tribUnitFactor: plainNumber(known?.tribUnitFactor, 10),
});
type Values = ReturnType<typeof valuesOf>;

/** A barcode that was not touched is left out: an empty one would get the store's own. */
const bodyOf = ({ label, division, subdivision, sku, gtin, ...figures }: Values, before: Values) => ({
  label: label.trim() || null,
  division: division.trim() || null,
  subdivision: subdivision.trim() || null,
  sku: sku.trim() || null,
  ...decimalsOf(FIGURES, figures),
  ...(gtin === before.gtin ? {} : { gtin: withoutMarks(gtin) || null }),
});

/** A new variant, or one of the product: a part of it, whose tag is the product's. */
export function VariantDialog({
  product,
  etag,
  variant: known,
  onClose,
}: {
  readonly product: Product;
  readonly etag: string;
  readonly variant: Variant | undefined;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const form = useRecordForm({ record: known, etag }, valuesOf, (field) =>
    t(field === 'label' ? 'variantLabel' : field),
  );
  const path = { id: product.id };
  const save = useCommand({
    send: (values: Values, headers) => {
      const fields = bodyOf(values, form.before);
      if (!known) return body(api.POST('/products/{id}/variants', { params: { path }, body: fields, headers }));
      const params = { path: { ...path, variantId: known.id } };
      const own = ifMatch(headers, form);
      return body(api.PATCH('/products/{id}/variants/{variantId}', { params, body: fields, headers: own }));
    },
    adds: known ? undefined : `/products/${product.id}/variants`,
    kinds: ['product'],
    onDone: onClose,
  });
  const [isRemoving, setRemoving] = useState(false);
  if (known && isRemoving) return <DeleteVariant {...{ product, etag }} variant={known} onClose={onClose} />;
  return (
    <Dialog title={known ? (known.label ?? product.description) : t('addVariant')} onClose={onClose}>
      <DialogForm
        form={form}
        saving={save}
        onClose={onClose}
        removal={
          known && product.variants.length > 1
            ? {
                label: t('removeVariant'),
                onAsk: () => {
                  setRemoving(true);
                },
              }
            : undefined
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
              {FIGURES.map((name) => (
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
      </DialogForm>
    </Dialog>
  );
}

function DeleteVariant({
  product,
  etag,
  variant,
  onClose,
}: {
  readonly product: Product;
  readonly etag: string;
  readonly variant: Variant;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const path = { id: product.id, variantId: variant.id };
  return (
    <DestructiveDialog
      title={t('removeVariant')}
      subject={['variant', variant.id]}
      etag={etag}
      kinds={['product', 'lot']}
      send={(sent) => api.DELETE('/products/{id}/variants/{variantId}', { params: { path }, ...sent })}
      onClose={onClose}
    >
      {() => <p>{t('removeVariantLead', { name: variant.label ?? t('noLabel'), gtin: variant.gtin })}</p>}
    </DestructiveDialog>
  );
}
