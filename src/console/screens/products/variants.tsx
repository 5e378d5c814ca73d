import { useState } from 'preact/hooks';
import { Button, IconButton } from '../../parts/button.js';
import { Section } from '../../parts/page.js';
import { rowsOf, Table } from '../../parts/table.js';
import { Why } from '../../parts/why.js';
import { quantity, unitCost } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { Kit } from './kit.js';
import type { Product } from './product-values.js';
import type { Variant } from './variant-dialog.js';
import { VariantDialog } from './variant-dialog.js';
import { words } from './words.js';

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
              cell: ({ id, gtin, averageCost }) => (
                <span class="with-why">
                  {unitCost(averageCost)}
                  {averageCost !== null && averageCost !== undefined && (
                    <Why what="average" id={id} label={t('averageCost')} of={gtin} />
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
          {...{ product, etag }}
          variant={edited === 'new' ? undefined : (product.variants.find(({ id }) => id === edited.id) ?? edited)}
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
