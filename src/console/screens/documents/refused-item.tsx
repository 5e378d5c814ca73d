import { api, body, file } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Link } from '../../parts/link.js';
import { useWords } from '../../words/words.js';
import type { FiscalDocument } from './remedies.js';
import { words } from './words.js';

/** A product as a document names it. */
interface Item {
  /** Its own code, or its barcode. */
  readonly code: string;
  readonly description: string;
}

/** The authority says which item it means by its place in the document alone. */
const PLACE = /\[nItem: *(\d{1,3})\]/i;

/** Stands in a trial in place of the first description. */
const TRIAL = 'NOTA FISCAL EMITIDA EM AMBIENTE DE HOMOLOGACAO';

async function itemAt(path: string, place: string): Promise<Item | null> {
  const { blob } = await file(path);
  const xml = new DOMParser().parseFromString(await blob.text(), 'application/xml');
  const item = xml.querySelector(`det[nItem="${place}"] > prod`);
  const said = (name: string): string => item?.querySelector(name)?.textContent ?? '';
  const description = said('xProd');
  return item && { code: said('cProd'), description: description.startsWith(TRIAL) ? '' : description };
}

/** Which of the sold products a refusal is about, where it names one by its place. */
export function RefusedItem({ document: { id, accessKey, links, rejection } }: { readonly document: FiscalDocument }) {
  const t = useWords(words);
  const may = useMay();
  const place = PLACE.exec(rejection?.message ?? '')?.[1];
  const item = useRead({
    key: ['document-item', id, accessKey, place],
    kinds: [],
    when: place !== undefined && accessKey !== null,
    read: () => itemAt(links.xml, place ?? ''),
  }).data;
  const found = useRead({
    key: ['document-item-product', item?.code],
    kinds: ['product'],
    when: may('products.view') && item?.code !== undefined,
    read: (signal) => body(api.GET('/products', { params: { query: { q: item?.code ?? '', take: 2 } }, signal })),
  }).data;
  if (!item || place === undefined) return null;
  const product = found?.items.length === 1 ? found.items[0] : undefined;
  const name = product?.description ?? [item.code, item.description].filter(Boolean).join(' · ');
  return (
    <p class="fine">
      {t('refusedItem', { place, name })} {product && <Link href={`/produtos/${product.id}`}>{t('toProduct')}</Link>}
    </p>
  );
}
