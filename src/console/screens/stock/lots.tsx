import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useList } from '../../client/queries.js';
import { useFilter } from '../../parts/address.js';
import { useDelayed } from '../../parts/delayed.js';
import { CheckField, DateField, SelectField, TextField } from '../../parts/fields.js';
import { wholeCode } from '../../parts/lot-code.js';
import { rowsOfList, Table } from '../../parts/table.js';
import { day, quantity, unitCost } from '../../values/formats.js';
import { Why } from '../../parts/why.js';
import { lotCodeOf } from '../../values/gs1.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { useLocations } from './locations.js';
import { LotStatus, lotTone } from './lot-status.js';
import { words } from './words.js';

type HeldLot = components['schemas']['HeldLot'];

export function Lots() {
  const t = useWords(words);
  const shared = useWords(frame);
  const [q, setQ] = useFilter('q');
  const [status, setStatus] = useFilter('status');
  const [until, setUntil] = useFilter('until');
  const [withEmpty, setWithEmpty] = useFilter('empty');
  const asked = useDelayed(lotCodeOf(q), 150);
  const locations = useLocations();
  const filters = {
    ...(asked === '' ? {} : { q: asked }),
    ...(status === '' ? {} : { status: status as HeldLot['status'] }),
    ...(until === '' ? {} : { expiresBefore: until }),
    ...(withEmpty === '' ? {} : { includeEmpty: true }),
  };
  const list = useList<HeldLot>({
    key: ['lots', filters],
    kinds: ['lot', 'sale', 'order'],
    keep: true,
    read: (at, signal) =>
      body(
        api.GET('/stock/lots', {
          params: { query: { ...filters, limit: 100, ...at } },
          signal,
        }),
      ),
  });
  const names = useNames(list.items.map(({ variantId }) => variantId));
  return (
    <>
      <div class="filters no-print">
        <div class="field grow">
          <TextField label={t('findLot')} required value={q} onValue={setQ} autocomplete="off" />
        </div>
        <SelectField
          label={t('status')}
          required
          value={status}
          onValue={setStatus}
          choices={[
            { value: '', label: shared('all') },
            { value: 'AVAILABLE', label: t('available') },
            { value: 'BLOCKED', label: t('blocked') },
          ]}
        />
        <DateField label={t('until')} required value={until} onValue={setUntil} />
        <CheckField
          label={t('withEmpty')}
          checked={withEmpty !== ''}
          onChecked={(checked) => {
            setWithEmpty(checked ? '1' : '');
          }}
        />
      </div>
      <Table
        label={t('lots')}
        rows={rowsOfList(list)}
        rowKey={(lot) => lot.lotId + lot.locationId}
        href={({ lotId }) => `/estoque/lote/${lotId}`}
        tone={lotTone}
        empty={t(Object.keys(filters).length === 0 ? 'noLots' : 'noSuchLots')}
        columns={[
          { id: 'product', title: t('product'), cell: ({ variantId }) => names(variantId)?.description ?? '…' },
          { id: 'lot', title: t('lot'), below: 'plain', cell: (lot) => wholeCode(lot.lotCode, t('noCode')) },
          ...(locations.all.length > 1
            ? [
                {
                  id: 'location',
                  title: t('location'),
                  below: 'plain' as const,
                  cell: (lot: HeldLot) => locations.nameOf(lot.locationId),
                },
              ]
            : []),
          { id: 'supplier', title: t('supplier'), wide: true, cell: ({ supplier }) => supplier ?? '–' },
          { id: 'expires', title: t('expires'), below: 'titled', cell: ({ expiresOn }) => day(expiresOn) },
          {
            id: 'cost',
            title: t('unitCost'),
            figure: true,
            wide: true,
            cell: (lot) => (
              <span class="with-why">
                {unitCost(lot.unitCost)}
                {lot.unitCost !== undefined && (
                  <Why
                    what="lot"
                    id={lot.lotId}
                    label={t('unitCost')}
                    of={lot.lotCode ?? names(lot.variantId)?.description}
                  />
                )}
              </span>
            ),
          },
          {
            id: 'quantity',
            title: t('quantity'),
            figure: true,
            cell: (lot) => quantity(lot.quantity, names(lot.variantId)?.saleUnit),
          },
          { id: 'status', title: t('status'), below: 'plain', cell: (lot) => <LotStatus lot={lot} /> },
        ]}
      />
    </>
  );
}
