import type { RefObject } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { productsMeant } from '../../client/products-meant.js';
import { useRead } from '../../client/queries.js';
import { Button } from '../../parts/button.js';
import { useDelayed } from '../../parts/delayed.js';
import { money, quantity } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Scanned } from './cart.js';
import { isName, readScan } from './cart.js';
import type { Scanning, Waiting } from './scanning.js';
import { words } from './words.js';

const MOST = 6;
const SHORTEST_NAME = 2;

function useHits(typed: string, least: number): readonly Scanned[] {
  const { factor, code } = readScan(typed);
  const q = useDelayed(code, 150);
  const isAsked = factor > 0 && q.length >= least && isName(q);
  const hits = useRead({
    key: ['till', 'hits', q],
    kinds: ['product'],
    when: isAsked,
    read: (signal) => productsMeant(q, MOST, signal),
  });
  if (!isAsked || q !== code) return [];
  return (hits.data ?? [])
    .flatMap((product) => product.variants.map(({ id }) => ({ product, variantId: id })))
    .slice(0, MOST);
}

/** Where the scanner types. A name shows what is meant by it; arrows choose, Enter takes. */
export function ScanField({
  field,
  scanning,
  unclear,
  onPick,
  onEmptyEnter,
}: {
  readonly field: RefObject<HTMLInputElement>;
  readonly scanning: Scanning;
  /** A name that several products bear: it comes back, for somebody to choose. */
  readonly unclear: Waiting | undefined;
  readonly onPick: (scanned: Scanned, factor: number) => void;
  readonly onEmptyEnter: () => void;
}) {
  const t = useWords(words);
  const id = useId();
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const [refused, setRefused] = useState<string>();
  const hits = useHits(typed, typed === unclear?.typed ? 1 : SHORTEST_NAME);
  const isNone = refused !== undefined && refused === typed;
  const { factor, code } = readScan(typed);
  const isQuantity = code === '' && factor > 0 && typed.trim() !== '';
  useEffect(() => {
    // What was typed meanwhile is not overwritten.
    if (unclear) setTyped((now) => (now === '' ? unclear.typed : now));
  }, [unclear?.id]);
  const marked = hits[Math.min(place, hits.length - 1)];
  const take = (scanned: Scanned) => {
    onPick(scanned, factor);
    setTyped('');
    setPlace(0);
    field.current?.focus();
  };
  const onEnter = () => {
    if (typed.trim() === '') onEmptyEnter();
    else if (marked) take(marked);
    else if (factor <= 0) setRefused(typed);
    // The quantity stays in the field: what is read next stands behind it.
    else if (!isQuantity) {
      scanning.scan(typed);
      setTyped('');
    }
  };
  return (
    <div class="field picker till-scan">
      <label for={id}>{t('scan')}</label>
      <input
        ref={field}
        {...{ id }}
        type="text"
        role="combobox"
        autocomplete="off"
        autofocus
        spellcheck={false}
        enterkeyhint="done"
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-hits`}
        aria-activedescendant={marked ? `${id}-${marked.variantId}` : undefined}
        aria-describedby={isNone ? `${id}-none ${id}-hint` : `${id}-hint`}
        aria-invalid={isNone}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined && hits.length > 0) {
            event.preventDefault();
            setPlace((before) => Math.max(0, Math.min(hits.length - 1, before + step)));
          }
          if (event.key === 'Escape') setTyped('');
          if (event.key !== 'Enter') return;
          event.preventDefault();
          // Held since the payment it would put away the change before anybody saw it.
          if (!event.repeat) onEnter();
        }}
      />
      <p class="hint" id={`${id}-hint`}>
        <span role="status">{isQuantity && t('quantityFirst', { quantity: quantity(factor) })}</span>
        {!isQuantity && t('scanHint')}
      </p>
      {isNone && (
        <p class="field-wrong" id={`${id}-none`} role="alert">
          {t('noneOfIt')}
        </p>
      )}
      <div class={hits.length > 0 ? 'hits' : 'no-hits'} id={`${id}-hits`} role="listbox" aria-label={t('scan')}>
        {hits.map((hit) => (
          <Hit
            key={hit.variantId}
            id={`${id}-${hit.variantId}`}
            hit={hit}
            isMarked={hit === marked}
            onTake={() => {
              take(hit);
            }}
          />
        ))}
      </div>
      {scanning.waiting.map((one) =>
        scanning.stuck.includes(one) ? (
          <p key={one.id} class="note warn" role="status">
            {t('notReached', { code: one.code })}
            <Button
              look="quiet"
              onClick={() => {
                scanning.forget(one.id);
              }}
            >
              {t('takeOut')}
            </Button>
          </p>
        ) : (
          <p key={one.id} class="fine" role="status">
            {`${one.code}…`}
          </p>
        ),
      )}
    </div>
  );
}

function Hit({
  id,
  hit: { product, variantId },
  isMarked,
  onTake,
}: {
  readonly id: string;
  readonly hit: Scanned;
  readonly isMarked: boolean;
  readonly onTake: () => void;
}) {
  const variant = product.variants.find((one) => one.id === variantId);
  return (
    <div {...{ id }} role="option" aria-selected={isMarked} class={isMarked ? 'hit first' : 'hit'} onClick={onTake}>
      <strong>{[product.description, variant?.label].filter(Boolean).join(' ')}</strong>
      <span>{money(product.priceCash)}</span>
      {product.productType === 'MERCHANDISE' && (
        <span class="fine">{quantity(variant?.stockQty, product.saleUnit)}</span>
      )}
    </div>
  );
}
