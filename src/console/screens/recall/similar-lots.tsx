import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { isRefused, useRead } from '../../client/queries.js';
import { Link } from '../../parts/link.js';
import { Section } from '../../parts/page.js';
import { day, quantity } from '../../values/formats.js';
import { productCodeOf } from '../../values/gs1.js';
import { useWords } from '../../words/words.js';
import { byLikeness, takenFor } from './likeness.js';
import { words } from './words.js';

const SHOWN = 12;
const ASKED = 200;
const PRODUCT_CODE = /^\d{8}$|^\d{12,14}$/;

/** Less of a code begins like too many others. */
const SHORTEST = 3;

type Lots = readonly components['schemas']['HeldLot'][];
type Ask = (query: { variantId: string } | { q: string }) => Promise<Lots>;

/** A beginning with each of its signs as it was typed, or as what it is taken for. */
const spellings = (beginning: string): readonly string[] =>
  Array.from(beginning).reduce<readonly string[]>(
    (begun, sign) => begun.flatMap((before) => takenFor(sign).map((other) => before + other)),
    [''],
  );

/** What the longest beginning finds that begins so and finds any, with what was taken for another sign put right: what is typed behind it is wrong. */
async function goingOnFrom(beginning: string, code: string, ask: Ask): Promise<Lots> {
  let found = await ask({ q: beginning });
  let begun = beginning;
  while (found.length > 0 && begun.length < code.length) {
    const right = begun;
    let [from, to] = [right.length + 1, code.length];
    while (from <= to) {
      const length = Math.ceil((from + to) / 2);
      const longer = right + code.slice(right.length, length);
      const lots = await ask({ q: longer });
      if (lots.length > 0) [found, begun, from] = [lots, longer, length + 1];
      else to = length - 1;
    }
    if (begun.length === code.length) break;
    const [, ...others] = takenFor(code.charAt(begun.length)).map((sign) => begun + sign);
    const tried = await Promise.all(others.map(async (q) => ({ q, lots: await ask({ q }) })));
    const mended = tried.find(({ lots }) => lots.length > 0);
    if (!mended) break;
    [found, begun] = [mended.lots, mended.q];
  }
  return found;
}

async function goingOnLike(code: string, ask: Ask): Promise<Lots> {
  if (code.length < SHORTEST) return [];
  return (await Promise.all(spellings(code.slice(0, SHORTEST)).map((begun) => goingOnFrom(begun, code, ask)))).flat();
}

const FIRST_WORD = /^[\p{L}\p{N}]+[^\p{L}\p{N}]+/u;

/** Lots of the product whose barcode was read, or those whose codes are most like what was typed. */
async function similar(code: string, signal: AbortSignal) {
  const ask: Ask = async (query) => {
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
  const typed = code.replace(/^[^\p{L}\p{N}]+/u, '');
  const behindFirst = typed.replace(FIRST_WORD, '');
  const found = await Promise.all([
    ask({ q: code }),
    goingOnLike(typed, ask),
    ...(behindFirst === typed || behindFirst === '' ? [] : [ask({ q: behindFirst })]),
  ]);
  const lots = new Map(found.flat().map((lot) => [lot.lotId + lot.locationId, lot]));
  return byLikeness(code, [...lots.values()]);
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
