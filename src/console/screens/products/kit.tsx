import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { ifMatch, useAsSent, useCommand } from '../../client/queries.js';
import { Button, IconButton } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { NumberField } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { useLineFocus } from '../../parts/line-focus.js';
import { Section } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { rowsOf, Table } from '../../parts/table.js';
import { VariantField } from '../../parts/variant-field.js';
import { quantity, readNumber } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import type { Product } from './product-values.js';
import { words } from './words.js';

/** With the tag that it was read with: its components are sent together, and what another one added must not go with them. */
interface Tagged {
  readonly product: Product;
  readonly etag: string;
}

/** What a kit is made of, one component a line. */
export function Kit({ product, etag, canChange }: Tagged & { readonly canChange: boolean }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const [isAdding, setAdding] = useState(false);
  const names = useNames(product.components.map(({ componentVariantId }) => componentVariantId));
  const change = useComponents(product);
  const focus = useLineFocus<HTMLDivElement>('tbody tr');
  return (
    <div ref={focus.element}>
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
                      focus.removing(
                        product.components.findIndex((one) => one.componentVariantId === componentVariantId),
                      );
                      const components = product.components.filter(
                        (one) => one.componentVariantId !== componentVariantId,
                      );
                      change.mutate({ components, etag });
                    }}
                  />
                ),
            },
          ]}
        />
        {isAdding && (
          <ComponentDialog
            {...{ product, etag }}
            onClose={() => {
              setAdding(false);
            }}
          />
        )}
      </Section>
    </div>
  );
}

type Component = Pick<Product['components'][number], 'componentVariantId' | 'quantity'>;

interface Components {
  readonly components: readonly Component[];
  readonly etag: string;
}

/** A product with components is a kit, and one without is none. */
const useComponents = ({ id }: Pick<Product, 'id'>, onDone?: () => void) =>
  useCommand({
    send: ({ components, etag }: Components, headers) =>
      body(
        api.PATCH('/products/{id}', {
          params: { path: { id } },
          body: {
            isComposite: components.length > 0,
            components: components.map(({ componentVariantId, quantity: amount }) => ({
              componentVariantId,
              quantity: amount,
            })),
          },
          headers: ifMatch(headers, { etag }),
        }),
      ),
    kinds: ['product'],
    onDone: () => onDone?.(),
  });

function ComponentDialog({ onClose, ...tagged }: Tagged & { readonly onClose: () => void }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const form = useForm({ variantId: '', quantity: '1' });
  const change = useComponents(tagged.product, onClose);
  const { product, etag } = useAsSent(tagged, change);
  const path = `components[${String(product.components.length)}]`;
  return (
    <Dialog title={t('addComponent')} onClose={onClose}>
      <Form
        sending={change}
        submit={shared('add')}
        cancel={onClose}
        form={form}
        onSubmit={() => {
          const { variantId, quantity: typed } = form.values;
          const added = { componentVariantId: variantId, quantity: readNumber(typed) ?? 0 };
          change.mutate({ components: [...product.components, added], etag });
        }}
      >
        <VariantField
          label={t('description')}
          required
          path={`${path}.componentVariantId`}
          value={form.values.variantId === '' ? undefined : form.values.variantId}
          onPick={(label) => {
            form.set('variantId', label?.variantId ?? '');
          }}
        />
        <NumberField label={shared('quantity')} required {...form.field('quantity')} path={`${path}.quantity`} />
      </Form>
    </Dialog>
  );
}
