import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { api, body } from '../client/api.js';
import { useNames } from '../client/names.js';
import { productsMeant } from '../client/products-meant.js';
import { useRead } from '../client/queries.js';
import { useMay } from '../client/session.js';
import { hitKeys } from '../parts/hit-keys.js';
import { Icon } from '../parts/icon.js';
import { mayLeave } from '../parts/leaving.js';
import { NothingFound } from '../parts/nothing-found.js';
import { day, quantity } from '../values/formats.js';
import { lotCodeOf, productCodeOf } from '../values/gs1.js';
import { useDelayed } from '../parts/delayed.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';

const FOUND = 6;

interface Hit {
  readonly href: string;
  readonly text: string;
  readonly fine: string;
}

function useHits(typed: string): {
  readonly lots: readonly Hit[];
  readonly products: readonly Hit[];
  readonly isPending: boolean;
  readonly error: Error | null;
} {
  const may = useMay();
  // Both codes come of one text: delayed each for itself, one of them would for a moment be of what was typed before.
  const settled = useDelayed(typed.trim(), 120);
  const q = lotCodeOf(settled);
  const productCode = productCodeOf(settled);
  const lots = useRead({
    key: ['search', 'lots', q],
    kinds: ['lot'],
    when: q !== '' && may('stock.view'),
    keep: true,
    read: (signal) =>
      body(api.GET('/stock/lots', { params: { query: { q, limit: FOUND, includeEmpty: true } }, signal })),
  });
  const products = useRead({
    key: ['search', 'products', productCode],
    kinds: ['product'],
    when: productCode !== '' && may('products.view'),
    keep: true,
    read: (signal) => productsMeant(productCode, FOUND, signal, false),
  });
  const names = useNames((lots.data?.items ?? []).map(({ variantId }) => variantId));
  return {
    lots: (lots.data?.items ?? []).map((lot) => ({
      href: `/estoque/lote/${lot.lotId}`,
      text: lot.lotCode ?? '–',
      fine: [
        names(lot.variantId)?.description,
        quantity(lot.quantity, names(lot.variantId)?.saleUnit),
        lot.expiresOn ? day(lot.expiresOn) : undefined,
      ]
        .filter(Boolean)
        .join(' · '),
    })),
    products: (products.data ?? []).map((product) => ({
      href: `/produtos/${product.id}`,
      text: product.description,
      fine: quantity(product.stockQty, product.saleUnit),
    })),
    error: lots.error ?? products.error,
    isPending: lots.isFetching || products.isFetching || settled !== typed.trim(),
  };
}

/** One box for names and codes; a scanner types into it and ends with Enter, which opens the first that was found. */
export function SearchBox() {
  const t = useWords(frame);
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [place, go] = useLocation();
  const frameElement = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const { lots, products, isPending, error } = useHits(isOpen ? typed : '');
  const wantsFirst = useRef(false);
  const leave = () => {
    setOpen(false);
    setTyped('');
    wantsFirst.current = false;
  };
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', keys);
    return () => {
      removeEventListener('keydown', keys);
    };
  }, []);
  const code = lotCodeOf(typed).toLowerCase();
  const lotsMeant = lots.filter(({ text }) => text.toLowerCase() === code);
  const otherLots = lots.filter((lot) => !lotsMeant.includes(lot));
  const first = lotsMeant[0] ?? products[0] ?? lots[0];
  const openWanted = () => {
    if (!wantsFirst.current || isPending || !first) return;
    wantsFirst.current = false;
    if (first.href !== place && !mayLeave()) return;
    go(first.href);
    leave();
  };
  useEffect(openWanted);
  return (
    <div
      class="search"
      ref={frameElement}
      onKeyDown={hitKeys(typed === '' ? undefined : leave)}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || !frameElement.current?.contains(relatedTarget)) setOpen(false);
      }}
    >
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          wantsFirst.current = typed.trim() !== '';
          setOpen(true);
          openWanted();
        }}
      >
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          aria-expanded={isOpen && typed !== ''}
          aria-controls={list}
          role="combobox"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setOpen(true);
            wantsFirst.current = false;
          }}
        />
      </form>
      {isOpen && typed.trim() !== '' && (
        <div class="hits" id={list} tabIndex={-1}>
          <Hits title={t('searchLots')} hits={lotsMeant} onFollow={leave} />
          <Hits title={t('searchProducts')} hits={products} onFollow={leave} />
          <Hits title={t('searchLots')} hits={otherLots} onFollow={leave} />
          {lots.length + products.length === 0 && !isPending && <NothingFound error={error} />}
        </div>
      )}
    </div>
  );
}

function Hits({
  title,
  hits,
  onFollow,
}: {
  readonly title: string;
  readonly hits: readonly Hit[];
  readonly onFollow: () => void;
}) {
  if (hits.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {hits.map(({ href, text, fine }) => (
          <li key={href}>
            <Link href={href} onClick={onFollow}>
              <strong>{text}</strong> <span class="fine">{fine}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
