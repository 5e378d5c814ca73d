import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useRead } from '../../client/queries.js';
import { Link } from '../../parts/link.js';
import { Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { day, daysUntil, isoDay, quantity, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { Nothing } from './nothing.js';
import { Rest, SeeAll } from './rest.js';
import { words } from './words.js';

const SHOWN = 8;
const DAYS = 7;
const MOST_COUNTED = 200;

interface LotLine {
  readonly lotId: string;
  readonly lotCode: string | null;
  readonly variantId: string;
  readonly quantity: number;
  readonly expiresOn: string | null;
}

function LotLines({ lots, withExpiry }: { readonly lots: readonly LotLine[]; readonly withExpiry: boolean }) {
  const t = useWords(words);
  const shown = lots.slice(0, SHOWN);
  const names = useNames(shown.map(({ variantId }) => variantId));
  return (
    <ul class="agenda">
      {shown.map((lot) => {
        const days = lot.expiresOn === null ? undefined : daysUntil(lot.expiresOn);
        const label = names(lot.variantId);
        return (
          <li key={lot.lotId + String(lot.quantity)}>
            <Link href={`/estoque/lote/${lot.lotId}`}>{label?.description ?? '…'}</Link>
            <span class="fine">
              {lot.lotCode ?? '–'} · {quantity(lot.quantity, label?.saleUnit)}
            </span>
            {withExpiry && days !== undefined && (
              <Status tone={days < 0 ? 'bad' : 'warn'}>
                {days === 0 ? t('expiresToday') : t(days < 0 ? 'expired' : 'expiresOn', { day: day(lot.expiresOn) })}
              </Status>
            )}
          </li>
        );
      })}
    </ul>
  );
}

export function Expiring() {
  const t = useWords(words);
  const lots = useRead({
    key: ['today', 'expiring'],
    kinds: ['lot', 'sale', 'order'],
    read: async (signal) => {
      const ask = (query: { days: number; includeExpired: boolean; limit: number }) =>
        body(api.GET('/stock/expiring', { params: { query }, signal }));
      const [coming, upToToday] = await Promise.all([
        ask({ days: DAYS, includeExpired: false, limit: MOST_COUNTED }),
        ask({ days: 0, includeExpired: true, limit: MOST_COUNTED }),
      ]);
      const expired = upToToday.items.filter((lot) => lot.expired);
      return { coming: coming.items, expired: expired.length, isMore: expired.length === MOST_COUNTED };
    },
  });
  return (
    <Section
      title={t('expiring')}
      actions={<SeeAll of={t('expiring')} href={`/estoque/lotes?until=${isoDay(DAYS)}`} />}
    >
      <Shown reading={lots}>
        {({ coming, expired, isMore }) => (
          <>
            <Nothing when={coming.length === 0} text={t('noExpiring')}>
              <LotLines lots={coming} withExpiry />
              <Rest
                count={coming.length - SHOWN}
                isMore={coming.length === MOST_COUNTED}
                href={`/estoque/lotes?until=${isoDay(DAYS)}`}
              />
            </Nothing>
            {expired > 0 && (
              <p class="after-list">
                <Link href={`/estoque/lotes?until=${isoDay(-1)}`}>
                  {t('alreadyExpired', { n: expired, count: `${whole(expired)}${isMore ? '+' : ''}` })}
                </Link>
              </p>
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}

export function Blocked() {
  const t = useWords(words);
  const lots = useRead({
    key: ['today', 'blocked'],
    kinds: ['lot', 'sale', 'order'],
    read: (signal) =>
      body(api.GET('/stock/lots', { params: { query: { status: 'BLOCKED', limit: MOST_COUNTED } }, signal })),
  });
  return (
    <Section title={t('blocked')} actions={<SeeAll of={t('blocked')} href="/estoque/lotes?status=BLOCKED" />}>
      <Shown reading={lots}>
        {({ items }) => (
          <Nothing when={items.length === 0} text={t('noBlocked')}>
            <LotLines lots={items} withExpiry={false} />
            <Rest
              count={items.length - SHOWN}
              isMore={items.length === MOST_COUNTED}
              href="/estoque/lotes?status=BLOCKED"
            />
          </Nothing>
        )}
      </Shown>
    </Section>
  );
}

export function BelowZero() {
  const t = useWords(words);
  const negative = useRead({
    key: ['today', 'negative'],
    kinds: ['lot', 'sale', 'order'],
    read: async (signal) => {
      const query = { belowZero: true, limit: MOST_COUNTED };
      return (await body(api.GET('/stock/balances', { params: { query }, signal }))).items;
    },
  });
  const names = useNames((negative.data ?? []).map(({ variantId }) => variantId));
  return (
    <Section title={t('negative')} actions={<SeeAll of={t('negative')} href="/estoque?show=negative" />}>
      <Shown reading={negative}>
        {(items) => (
          <Nothing when={items.length === 0} text={t('noNegative')}>
            <ul class="agenda">
              {items.slice(0, SHOWN).map(({ variantId, locationId, quantity: balance }) => (
                <li key={variantId + locationId}>
                  <Link href={`/estoque/movimentos?variantId=${variantId}`}>
                    {names(variantId)?.description ?? '…'}
                  </Link>
                  <Status tone="bad">{quantity(balance, names(variantId)?.saleUnit)}</Status>
                </li>
              ))}
            </ul>
            <Rest count={items.length - SHOWN} isMore={items.length === MOST_COUNTED} href="/estoque?show=negative" />
          </Nothing>
        )}
      </Shown>
    </Section>
  );
}
