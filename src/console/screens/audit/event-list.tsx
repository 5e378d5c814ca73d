import type { components } from 'openapi-client';
import { useLocation } from 'wouter-preact';
import { api, body } from '../../client/api.js';
import { useList } from '../../client/queries.js';
import { useFilter } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { DateField, SelectField } from '../../parts/fields.js';
import { Page } from '../../parts/page.js';
import { Empty, Shown } from '../../parts/shown.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { AuditTabs } from './audit-tabs.js';
import { Happenings } from './happening.js';
import { kinds, words } from './words.js';

type AuditEvent = components['schemas']['AuditEvent'];

const KINDS = Object.keys(kinds) as (keyof typeof kinds)[];

export function EventList() {
  const t = useWords(words);
  const shared = useWords(frame);
  const called = useWords(kinds);
  const [entityKind, setKind] = useFilter('kind');
  const [from, setFrom] = useFilter('from');
  const [to, setTo] = useFilter('to');
  const [actorId] = useFilter('actorId');
  const [requestId] = useFilter('requestId');
  const filters = Object.fromEntries(
    Object.entries({ entityKind, from, to, actorId, requestId }).filter(([, value]) => value !== ''),
  );
  const list = useList<AuditEvent>({
    key: ['audit', filters],
    kinds: KINDS,
    read: (at, signal) =>
      body(
        api.GET('/audit/events', {
          params: { query: { ...filters, order: 'desc', limit: 50, ...at } },
          signal,
        }),
      ),
  });
  return (
    <Page title={t('title')} lead={t('lead')}>
      <AuditTabs current="events" />
      <div class="filters no-print">
        <SelectField
          label={t('kind')}
          required
          value={entityKind}
          onValue={setKind}
          choices={[{ value: '', label: t('anything') }, ...KINDS.map((value) => ({ value, label: called(value) }))]}
        />
        <DateField label={shared('from')} required value={from} onValue={setFrom} />
        <DateField label={shared('until')} required value={to} onValue={setTo} />
      </div>
      <Narrowed {...{ actorId, requestId }} />
      <Shown reading={{ ...list, data: list.data ? list.items : undefined }}>
        {(items) =>
          items.length === 0 ? <Empty title={t('empty')} /> : <Happenings list={list} label={t('events')} />
        }
      </Shown>
    </Page>
  );
}

/** Says that only one person or one request is shown, and leads back to all. */
function Narrowed({ actorId, requestId }: { readonly actorId: string; readonly requestId: string }) {
  const t = useWords(words);
  const [, go] = useLocation();
  const [name] = useFilter('name');
  if (actorId === '' && requestId === '') return null;
  return (
    <div class="note row">
      <span>{actorId === '' ? t('request', { id: requestId }) : t('person', { name: name || actorId })}</span>
      <Button
        onClick={() => {
          go('/auditoria');
        }}
      >
        {t('dropFilter')}
      </Button>
    </div>
  );
}
