import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { isRefused, useRead } from '../../client/queries.js';
import { Link } from '../../parts/link.js';
import { Section } from '../../parts/page.js';
import { folded } from '../../values/folded.js';
import { day, quantity } from '../../values/formats.js';
import { productCodeOf } from '../../values/gs1.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

const SHOWN = 12;
const ASKED = 200;
const PRODUCT_CODE = /^\d{8}$|^\d{12,14}$/;

/** How much of two codes is the same from their beginning on. */
function sharedBeginning(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Lots of the product whose barcode was read, or those whose codes begin most like what was typed. */
async function similar(code: string, signal: AbortSignal) {
  const ask = async (query: { variantId: string } | { q: string }) => {
    const asked = { ...query, includeEmpty: true, limit: ASKED };
    return (await body(api.GET('/stock/lots', { params: { query: asked }, signal }))).items;
  };
  const gtin = productCodeOf(code);
  if (PRODUCT_CODE.test(gtin)) {
    try {
      const { variantId } = await body(api.GET('/products/by-gtin/{gtin}', { params: { path: { gtin } }, signal }));
      return await ask({ variantId });
    } catch (error) {
      if (!isRefused(error, 'NOT_FOUND')) throw error;
    }
  }
  // The beginning of a code is whole; of a mistyped one the end is wrong more often than not.
  const beginnings = [code, code.slice(0, Math.max(2, code.length - 2))];
  const found = (await Promise.all(beginnings.map((q) => ask({ q })))).flat();
  const typed = folded(code);
  const alike = (lotCode: string | null): number => sharedBeginning(typed, folded(lotCode ?? ''));
  const lots = new Map(found.map((lot) => [lot.lotId + lot.locationId, lot]));
  return [...lots.values()].sort((a, b) => alike(b.lotCode) - alike(a.lotCode));
}

/** In a hurry one mistypes, or reads the barcode of the product in place of its lot. */
export function SimilarLots({ code }: { readonly code: string }) {
  const t = useWords(words);
  const found = useRead({
    key: ['recall', 'similar', code],
    kinds: ['lot'],
    read: (signal) => similar(code, signal),
  });
  const lots = (found.data ?? []).filter(({ lotCode }) => lotCode !== null).slice(0, SHOWN);
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
