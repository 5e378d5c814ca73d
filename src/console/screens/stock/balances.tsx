import { useState } from 'preact/hooks';
import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useList } from '../../client/queries.js';
import { useFilter } from '../../parts/address.js';
import { useDelayed } from '../../parts/delayed.js';
import { DateField, SelectField } from '../../parts/fields.js';
import { Link } from '../../parts/link.js';
import { outdated } from '../../parts/outdated.js';
import { rowsByName, Table } from '../../parts/table.js';
import { Why } from '../../parts/why.js';
import { VariantField } from '../../parts/variant-field.js';
import { day, isoDay, money, quantity, unitCost, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { useLocations } from './locations.js';
import { words } from './words.js';

type Balance = components['schemas']['StockBalance'];

const LONGEST_AGO = 365;

const valueOf = ({ quantity: amount, averageCost }: Balance): number | undefined =>
  averageCost === undefined || averageCost === null ? undefined : amount * averageCost;

/** What is there, now or at the end of any day of the last year. */
export function Balances() {
  const t = useWords(words);
  const [variantId, setVariantId] = useFilter('variantId');
  const [locationId, setLocationId] = useFilter('locationId');
  const [on, setOn] = useFilter('on');
  const [show, setShow] = useFilter('show');
  const asked = useDelayed(on, 250);
  const locations = useLocations();
  const filters = {
    ...(variantId === '' ? {} : { variantId }),
    ...(locationId === '' ? {} : { locationId }),
    ...(show === 'negative' && on === '' ? { belowZero: true } : {}),
    ...(asked === '' || asked >= isoDay() ? {} : { at: asked }),
  };
  const list = useList<Balance>({
    key: ['balances', filters],
    kinds: ['lot', 'sale', 'order', 'product'],
    keep: true,
    read: (at, signal) =>
      body(
        api.GET('/stock/balances', {
          params: { query: { ...filters, limit: 200, ...at } },
          signal,
        }),
      ),
  });
  const names = useNames(list.items.map((row) => row.variantId));
  const isOutdated = asked !== on || list.isPlaceholderData;
  const rows = { ...rowsByName(list, (row) => names(row.variantId)?.description ?? ''), isOutdated };
  const total = list.items.reduce((sum, row) => sum + (valueOf(row) ?? 0), 0);
  const withoutValue = list.items.filter((row) => valueOf(row) === undefined).length;
  return (
    <>
      <div class="filters no-print">
        <div class="field grow">
          <VariantField
            label={t('filterProduct')}
            required
            value={variantId === '' ? undefined : variantId}
            onPick={(label) => {
              setVariantId(label?.variantId ?? '');
            }}
          />
        </div>
        <SelectField
          label={t('location')}
          required
          value={locationId}
          onValue={setLocationId}
          choices={[{ value: '', label: t('allLocations') }, ...locations.choices]}
        />
        <SelectField
          label={t('balance')}
          required
          disabled={on !== ''}
          value={show}
          onValue={setShow}
          choices={[
            { value: '', label: t('anyBalance') },
            { value: 'negative', label: t('belowZero') },
          ]}
        />
        <DateField label={t('asOf')} required value={on} onValue={setOn} />
      </div>
      <TimeSlider on={on} onDay={setOn} />
      {withoutValue < list.items.length && (
        <p {...outdated(isOutdated, 'fine')}>
          {t('asOfLead', { value: money(total) })}
          {withoutValue > 0 && `, ${t('withoutValue', { n: withoutValue, count: whole(withoutValue) })}`} ·{' '}
          <Link href={`/estoque/valor${on === '' ? '' : `?on=${on}`}`}>{t('toValuation')}</Link>
        </p>
      )}
      <Table
        label={t('balances')}
        rows={rows}
        rowKey={(row) => row.variantId + row.locationId}
        href={(row) => `/estoque/movimentos?variantId=${row.variantId}`}
        tone={(row) => (row.quantity < 0 ? 'bad' : undefined)}
        empty={t('noBalances')}
        columns={[
          { id: 'product', title: t('product'), cell: (row) => names(row.variantId)?.description ?? '…' },
          {
            id: 'location',
            title: t('location'),
            ...(locations.all.length > 1 ? { below: 'plain' as const } : { wide: true }),
            cell: (row) => locations.nameOf(row.locationId),
          },
          {
            id: 'quantity',
            title: t('quantity'),
            figure: true,
            cell: (row) => (
              <span class={row.quantity < 0 ? 'bad-text' : ''}>
                {quantity(row.quantity, names(row.variantId)?.saleUnit)}
              </span>
            ),
          },
          {
            id: 'cost',
            title: t('averageCost'),
            figure: true,
            wide: true,
            cell: (row) => (
              <span class="with-why">
                {unitCost(row.averageCost)}
                {on === '' && row.averageCost !== undefined && row.averageCost !== null && (
                  <Why
                    what="average"
                    id={row.variantId}
                    label={t('averageCost')}
                    of={names(row.variantId)?.description}
                  />
                )}
              </span>
            ),
          },
          {
            id: 'value',
            title: t('valueAtAverage'),
            figure: true,
            below: 'titled',
            cell: (row) => money(valueOf(row)),
          },
        ]}
      />
    </>
  );
}

function TimeSlider({ on, onDay }: { readonly on: string; readonly onDay: (isoDate: string) => void }) {
  const t = useWords(words);
  const ago = on === '' ? 0 : Math.round((Date.parse(isoDay()) - Date.parse(on)) / 86_400_000);
  const [moved, setMoved] = useState<number>();
  const shown = moved ?? ago;
  const dayOf = (days: number) => (days === 0 ? '' : isoDay(-days));
  return (
    <div class="time-slider no-print">
      <input
        type="range"
        min={0}
        max={LONGEST_AGO}
        value={LONGEST_AGO - Math.min(shown, LONGEST_AGO)}
        aria-label={t('daysBack')}
        aria-valuetext={shown === 0 ? t('now') : day(dayOf(shown))}
        onInput={({ currentTarget }) => {
          setMoved(LONGEST_AGO - Number(currentTarget.value));
        }}
        onChange={({ currentTarget }) => {
          setMoved(undefined);
          onDay(dayOf(LONGEST_AGO - Number(currentTarget.value)));
        }}
      />
      <output>{shown === 0 ? t('now') : `${day(dayOf(shown))} · ${t('days', { count: shown })}`}</output>
    </div>
  );
}
