import { Link } from 'wouter-preact';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { isRefused, useRead } from '../../client/queries.js';
import { Section } from '../../parts/page.js';
import { day, quantity } from '../../values/formats.js';
import { productCodeOf } from '../../values/gs1.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

const SHOWN = 12;
const PRODUCT_CODE = /^\d{8}$|^\d{12,14}$/;

/** Lots of the product whose barcode was read, or those whose codes begin as what was typed. */
async function similar(code: string, signal: AbortSignal) {
  const ask = (query: { variantId: string } | { q: string }) =>
    body(api.GET('/stock/lots', { params: { query: { ...query, includeEmpty: true, limit: SHOWN } }, signal }));
  const gtin = productCodeOf(code);
  if (PRODUCT_CODE.test(gtin)) {
    try {
      const { variantId } = await body(api.GET('/products/by-gtin/{gtin}', { params: { path: { gtin } }, signal }));
      return (await ask({ variantId })).items;
    } catch (error) {
      if (!isRefused(error, 'NOT_FOUND')) throw error;
    }
  }
  return (await ask({ q: code.slice(0, Math.max(2, code.length - 2)) })).items;
}

/** In a hurry one mistypes, or reads the barcode of the product in place of its lot. */
export function SimilarLots({ code }: { readonly code: string }) {
  const t = useWords(words);
  const found = useRead({
    key: ['recall', 'similar', code],
    kinds: ['lot'],
    read: (signal) => similar(code, signal),
  });
  const lots = (found.data ?? []).filter(({ lotCode }) => lotCode !== null);
  const names = useNames(lots.map(({ variantId }) => variantId));
  if (lots.length === 0) return null;
  return (
    <Section title={t('similar')}>
      <ul class="agenda">
        {lots.map(({ lotId, locationId, lotCode, variantId, expiresOn, quantity: left }) => (
          <li key={lotId + locationId}>
            <Link href={`/recall?lot=${encodeURIComponent(lotCode ?? '')}`}>{lotCode}</Link>
            <span class="fine">
              {names(variantId)?.description ?? '…'} · {quantity(left, names(variantId)?.saleUnit)} · {day(expiresOn)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
