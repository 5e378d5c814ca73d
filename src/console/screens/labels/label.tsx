import { create } from 'qrcode';
import { day, money, quantity } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { barsOf } from './ean.js';
import { words } from './words.js';

export interface LabelFacts {
  readonly lotId: string;
  readonly description: string;
  readonly lotCode: string | null;
  readonly at: string;
  readonly isMade: boolean;
  readonly expiresOn: string | null;
  readonly gtin: string;
  readonly price: number | undefined;
  readonly weightKg: string | null;
}

export type CodeKind = 'ean' | 'qr';

function Bars({ gtin }: { readonly gtin: string }) {
  const bars = barsOf(gtin);
  if (bars === undefined) return <span>{gtin}</span>;
  return (
    <svg class="bars" viewBox={`0 0 ${String(bars.length)} 40`} preserveAspectRatio="none" role="img" aria-label={gtin}>
      {Array.from(bars, (bar, place) => bar === '1' && <rect key={place} x={place} width={1.02} height={40} />)}
    </svg>
  );
}

/** GTIN, lot and expiry, as GS1's element strings write them, so that a scanner of the next one down the line reads them. */
const contentOf = ({ gtin, lotCode, expiresOn }: LabelFacts): string =>
  `(01)${gtin.padStart(14, '0')}${expiresOn === null ? '' : `(17)${expiresOn.replace(/-/g, '').slice(2)}`}${lotCode === null ? '' : `(10)${lotCode}`}`;

function Qr({ label }: { readonly label: LabelFacts }) {
  const { modules } = create(contentOf(label), { errorCorrectionLevel: 'M' });
  const { size } = modules;
  const dots = Array.from({ length: size * size }, (_, place) => place).filter((place) =>
    modules.get(Math.floor(place / size), place % size),
  );
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${String(size)} ${String(size)}`}
      role="img"
      aria-label={contentOf(label)}
      shape-rendering="crispEdges"
    >
      {dots.map((place) => (
        <rect key={place} x={place % size} y={Math.floor(place / size)} width={1} height={1} />
      ))}
    </svg>
  );
}

/** As many letters as fit beside the bars of a roll's label in large type, the sign of the money above them. */
const LONGEST_LARGE = 'R$ 999,90'.length;

function Price({ price }: { readonly price: number }) {
  // The sign may stand on a line of its own here.
  const written = money(price).replace(/\s/, ' ');
  return <span class={`label-price ${written.length > LONGEST_LARGE ? 'long' : ''}`}>{written}</span>;
}

export function LotLabel({
  label,
  code,
  withPrice,
}: {
  readonly label: LabelFacts;
  readonly code: CodeKind;
  readonly withPrice: boolean;
}) {
  const t = useWords(words);
  const { description, lotCode, at, isMade, expiresOn, gtin, price, weightKg } = label;
  return (
    <div class={`label ${code}`}>
      <strong>{description}</strong>
      <div class="label-facts">
        {lotCode !== null && <span>{t('lot', { code: lotCode })}</span>}
        <span>{t(isMade ? 'made' : 'received', { day: day(at) })}</span>
        {expiresOn !== null && <b>{t('expires', { day: day(expiresOn) })}</b>}
        {weightKg !== null && <span>{t('weight', { weight: quantity(weightKg, 'kg') })}</span>}
      </div>
      <div class="label-code">
        {code === 'ean' ? <Bars gtin={gtin} /> : <Qr label={label} />}
        <span class="label-gtin">{gtin}</span>
      </div>
      {withPrice && price !== undefined && <Price price={price} />}
    </div>
  );
}
