import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { LineChart } from '../../parts/chart.js';
import { Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { day, isoDay, money, percent, quantity } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

const DAYS = 30;
const BEST = 5;

const daysFrom = (first: number): readonly string[] =>
  Array.from({ length: DAYS }, (_, place) => isoDay(first + place));

interface Point {
  readonly key: string;
  readonly value: number;
}

const sum = (points: readonly Point[]): number => points.reduce((total, { value }) => total + value, 0);

/** A period that began before the store's first sale is no measure for the next one. */
async function soldSince(firstDay: string, signal: AbortSignal): Promise<boolean> {
  const query = { to: firstDay, status: 'COMPLETED', limit: 1 } as const;
  const { items } = await body(api.GET('/sales', { params: { query }, signal }));
  return items.length > 0;
}

function Change({
  now,
  before,
  firstSaleOn,
}: {
  readonly now: number;
  readonly before: number;
  /** Undefined where the store sold already when the period before began. */
  readonly firstSaleOn: string | undefined;
}) {
  const t = useWords(words);
  if (firstSaleOn !== undefined) return <p class="fine">{t('noComparison', { day: day(firstSaleOn) })}</p>;
  if (before <= 0) return null;
  const isMore = now >= before;
  const change = `${isMore ? '+' : ''}${percent((now / before - 1) * 100)}`;
  return <p class={isMore ? 'good-text' : 'bad-text'}>{t('change', { percent: change })}</p>;
}

/** Net sales of each day beside those of the 30 days before, and what sold best. */
export function SalesOfMonth() {
  const t = useWords(words);
  const ask = (by: 'day' | 'product', from: number, to: number, signal: AbortSignal) =>
    body(api.GET('/sales/summary', { params: { query: { by, from: isoDay(from), to: isoDay(to) } }, signal }));
  const sales = useRead({
    key: ['today', 'sales', isoDay()],
    kinds: ['sale'],
    read: async (signal) => {
      const [days, products, isComparable] = await Promise.all([
        ask('day', -2 * DAYS + 1, 0, signal),
        ask('product', -DAYS + 1, 0, signal),
        soldSince(isoDay(-2 * DAYS + 1), signal),
      ]);
      return {
        days: days.items,
        products: products.items,
        firstSaleOn: isComparable ? undefined : days.items[0]?.key,
      };
    },
  });
  return (
    <Section title={t('sales')}>
      <div class="sales-room">
        <Shown reading={sales}>
          {({ days, products, firstSaleOn }) => {
            const byDay = new Map(days.map(({ key, net }) => [key, net]));
            const points = (first: number) => daysFrom(first).map((key) => ({ key, value: byDay.get(key) ?? 0 }));
            const now = points(-DAYS + 1);
            const before = points(-2 * DAYS + 1);
            const best = [...products].sort((a, b) => b.net - a.net).slice(0, BEST);
            return (
              <div class="sales-of-month">
                <div>
                  <p class="big-figure">{money(sum(now))}</p>
                  <Change now={sum(now)} before={sum(before)} firstSaleOn={firstSaleOn} />
                  {days.length === 0 ? (
                    <p class="fine">{t('nothingSold')}</p>
                  ) : (
                    <LineChart
                      label={t('sales')}
                      write={(value) => money(value).replace(/,00$|\.00$/, '')}
                      series={[
                        { name: t('thisPeriod'), points: now },
                        ...(firstSaleOn === undefined ? [{ name: t('before'), points: before }] : []),
                      ]}
                    />
                  )}
                </div>
                {best.length > 0 && (
                  <div>
                    <h3>{t('best')}</h3>
                    <ol class="ranking">
                      {best.map(({ key, label, net, quantity: sold, unit }) => (
                        <li key={key}>
                          <span>{label}</span>
                          <span class="fine">{sold === undefined ? '' : quantity(sold, unit)}</span>
                          <span class="figure">{money(net)}</span>
                        </li>
                      ))}
                    </ol>
                  </div>
                )}
              </div>
            );
          }}
        </Shown>
      </div>
    </Section>
  );
}
