import { api, body } from '../../client/api.js';
import { useList } from '../../client/queries.js';
import { useFilter } from '../../parts/address.js';
import { SelectField } from '../../parts/fields.js';
import { Section } from '../../parts/page.js';
import { Empty } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { rowsOfList, Table } from '../../parts/table.js';
import { moment, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Delivery } from './remedy.js';
import { deliveryTones, LOOKED_AT_EVERY } from './remedy.js';
import { eventNames, words } from './words.js';

const STATES = Object.keys(deliveryTones) as Delivery['status'][];

export function DeliveryList({ id }: { readonly id: string }) {
  const t = useWords(words);
  const eventName = useWords(eventNames);
  const [show, setShow] = useFilter('status');
  const status = STATES.find((one) => one === show);
  const list = useList<Delivery>({
    key: ['webhook', id, 'deliveries', show],
    kinds: ['destination', 'document'],
    keep: true,
    every: LOOKED_AT_EVERY,
    read: (at, signal) =>
      body(
        api.GET('/outbound-webhooks/{id}/deliveries', {
          params: { path: { id }, query: { limit: 100, ...(status ? { status } : {}), ...at } },
          signal,
        }),
      ),
  });
  return (
    <Section title={t('deliveries')}>
      <div class="filters">
        <SelectField
          label={t('status')}
          required
          value={show}
          onValue={setShow}
          choices={[{ value: '', label: t('everything') }, ...STATES.map((value) => ({ value, label: t(value) }))]}
        />
      </div>
      <Table
        label={t('deliveries')}
        rows={rowsOfList(list)}
        rowKey={(one) => one.id}
        href={(one) => `/webhooks/${id}/entregas/${one.id}`}
        empty={<Empty title={t('deliveriesEmpty')} />}
        columns={[
          { id: 'event', title: t('event'), cell: ({ event }) => eventName(event) },
          {
            id: 'status',
            title: t('status'),
            cell: (one) => <Status tone={deliveryTones[one.status]}>{t(one.status)}</Status>,
          },
          { id: 'created', title: t('created'), below: 'plain', cell: ({ createdAt }) => moment(createdAt) },
          {
            id: 'answer',
            title: t('answer'),
            wide: true,
            cell: ({ attempts }) => attempts.at(-1)?.statusCode ?? '–',
          },
          { id: 'attempts', title: t('attempts'), figure: true, cell: ({ attempts }) => whole(attempts.length) },
        ]}
      />
      <p class="fine">{t('kept')}</p>
    </Section>
  );
}
