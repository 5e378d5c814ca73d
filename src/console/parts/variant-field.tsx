import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { VariantLabel } from '../client/names.js';
import { noteName, useNames } from '../client/names.js';
import { productsMeant } from '../client/products-meant.js';
import { useRead } from '../client/queries.js';
import { useMay } from '../client/session.js';
import { quantity } from '../values/formats.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button } from './button.js';
import { useDelayed } from './delayed.js';
import type { FieldProps } from './fields.js';
import { Field } from './fields.js';
import { hitKeys } from './hit-keys.js';
import { NothingFound } from './nothing-found.js';

const MOST = 8;

/** How a variant is called on its own. */
const labelled = (description: string, label: string | null): string =>
  label ? `${description} ${label}` : description;

function useFound(typed: string) {
  const q = useDelayed(typed.trim(), 120);
  const found = useRead({
    key: ['pick', 'variants', q],
    kinds: ['product'],
    when: q !== '',
    keep: true,
    read: (signal) => productsMeant(q, MOST, signal),
  });
  const variants = (found.data ?? []).flatMap((product) =>
    product.variants.map((variant) => ({
      variantId: variant.id,
      productId: product.id,
      description: labelled(product.description, variant.label),
      saleUnit: product.saleUnit,
      gtin: variant.gtin,
      stockQty: variant.stockQty,
    })),
  );
  return { variants, error: found.error, isSettled: q === typed.trim() && !found.isFetching };
}

/** Where somebody who types or scans goes on: the next field of the form. */
function fieldAfter(element: Element): HTMLElement | undefined {
  const fields = element.closest('form')?.querySelectorAll<HTMLElement>('input, select, textarea') ?? [];
  return [...fields].find(
    (field) =>
      (element.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_FOLLOWING) > 0 && !element.contains(field),
  );
}

/** As barcodes are: nobody calls a product so. */
const CODE = /^\d{8,14}$/;

/** Leads to where a product is made that is not there yet, beside the form, which stays as it is. */
function NewProduct({ typed }: { readonly typed: string }) {
  const t = useWords(frame);
  const may = useMay();
  if (!may('products.manage')) return null;
  const given = new URLSearchParams({ [CODE.test(typed) ? 'gtin' : 'description']: typed });
  return (
    <a href={`/console/produtos/novo?${given.toString()}`} target="_blank" rel="noreferrer">
      {t('createProduct', { name: typed })}
    </a>
  );
}

/** Picks a product by name, code or scanner: Enter takes the first that is found. */
export function VariantField({
  value,
  onPick,
  scanned = '',
  ...field
}: FieldProps & {
  readonly value: string | undefined;
  readonly onPick: (label: VariantLabel | undefined) => void;
  /** A code that was read elsewhere and means this product: looked up as if it had been read here. */
  readonly scanned?: string;
}) {
  const t = useWords(frame);
  const names = useNames([value]);
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const takesFirst = useRef(false);
  const list = useId();
  const place = useRef<HTMLDivElement>(null);
  const leads = useRef<'on' | 'back'>();
  useEffect(() => {
    const field = place.current;
    if (!leads.current || !field) return;
    const own = field.querySelector<HTMLElement>('input, button');
    (leads.current === 'on' ? (fieldAfter(field) ?? own) : own)?.focus();
    leads.current = undefined;
  }, [value]);
  useEffect(() => {
    if (scanned === '') return;
    setTyped(scanned);
    setOpen(true);
    takesFirst.current = true;
    place.current?.querySelector('input')?.focus();
  }, [scanned]);
  // What was typed and not chosen names no product: sent like that, its line would be left out.
  useLayoutEffect(() => {
    const input = place.current?.querySelector('input');
    input?.setCustomValidity(typed.trim() === '' ? '' : t('pickFromList'));
  });
  const { variants, error, isSettled } = useFound(isOpen ? typed : '');
  const pick = (label: VariantLabel) => {
    noteName(label);
    takesFirst.current = false;
    setTyped('');
    setOpen(false);
    leads.current = 'on';
    onPick(label);
  };
  const [first] = variants;
  if (takesFirst.current && isSettled && first)
    queueMicrotask(() => {
      if (takesFirst.current) pick(first);
    });
  if (value !== undefined) {
    return (
      <Field {...field} value={value}>
        {({ id, 'aria-describedby': describedBy }) => (
          <span class="picked" ref={place}>
            <output id={id}>{names(value)?.description ?? '…'}</output>
            <Button
              look="quiet"
              aria-describedby={describedBy}
              onClick={() => {
                leads.current = 'back';
                onPick(undefined);
              }}
            >
              {t('change')}
            </Button>
          </span>
        )}
      </Field>
    );
  }
  return (
    <Field {...field} value="">
      {(described) => (
        <div
          ref={place}
          class="picker"
          onKeyDown={hitKeys(
            isOpen && typed.trim() !== ''
              ? () => {
                  setOpen(false);
                }
              : undefined,
          )}
          onFocusOut={({ currentTarget, relatedTarget }) => {
            if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOpen(false);
          }}
        >
          <input
            {...described}
            type="text"
            role="combobox"
            autocomplete="off"
            aria-expanded={isOpen && variants.length > 0}
            aria-controls={list}
            placeholder={t('pickProduct')}
            value={typed}
            onFocus={() => {
              // Who comes back to what was typed and not chosen finds the list there.
              setOpen(true);
            }}
            onInput={({ currentTarget }) => {
              takesFirst.current = false;
              setTyped(currentTarget.value);
              setOpen(true);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || typed.trim() === '') return;
              event.preventDefault();
              if (isSettled && first) pick(first);
              else takesFirst.current = true;
            }}
          />
          {isOpen && typed.trim() !== '' && (
            <div class="hits" id={list} tabIndex={-1}>
              {variants.map((one, place) => (
                <button
                  key={one.variantId}
                  type="button"
                  class={place === 0 ? 'first' : ''}
                  onClick={() => {
                    pick(one);
                  }}
                >
                  <strong>{one.description}</strong> <span class="fine">{quantity(one.stockQty, one.saleUnit)}</span>
                </button>
              ))}
              {variants.length === 0 && isSettled && <NothingFound error={error} />}
              {variants.length === 0 && isSettled && !error && place.current?.closest('form') && (
                <NewProduct typed={typed.trim()} />
              )}
            </div>
          )}
        </div>
      )}
    </Field>
  );
}
