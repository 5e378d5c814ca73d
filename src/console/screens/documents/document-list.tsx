import { api, body } from '../../client/api.js';
import { allPages, useList } from '../../client/queries.js';
import { useFilter } from '../../parts/address.js';
import { LinkButton } from '../../parts/button.js';
import { DateField, SelectField } from '../../parts/fields.js';
import { Page } from '../../parts/page.js';
import { Empty } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import type { Column } from '../../parts/table.js';
import { rowsOfList, Table } from '../../parts/table.js';
import { moment, money } from '../../values/formats.js';
import { documentModels, documentStates, documentTones } from '../../words/documents.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { useDocumentName } from './document-name.js';
import { DocumentTabs } from './document-tabs.js';
import type { FiscalDocument } from './remedies.js';
import { remedies, remedyOf } from './remedies.js';
import { isToDo } from './to-do.js';
import { words } from './words.js';

const STATES = Object.keys(documentStates) as FiscalDocument['status'][];
const TO_DO = ['REJECTED', 'FAILED'] as const;
const LIMIT = 100;
const MOST = 200;

/** What somebody has to look after: two lists as one, however many failed on a day without a certificate. */
async function toLookAfter(filters: object, signal: AbortSignal) {
  const lists = await Promise.all(
    TO_DO.map((status) =>
      allPages<FiscalDocument>((at) =>
        body(api.GET('/fiscal/documents', { params: { query: { ...filters, status, limit: MOST, ...at } }, signal })),
      ),
    ),
  );
  const items = lists.flat().filter(isToDo);
  return { items: items.sort((a, b) => b.createdAt.localeCompare(a.createdAt)), nextCursor: null };
}

export function DocumentList() {
  const t = useWords(words);
  const shared = useWords(frame);
  const state = useWords(documentStates);
  const modelName = useWords(documentModels);
  const [show, setShow] = useFilter('show');
  const [model, setModel] = useFilter('model');
  const [from, setFrom] = useFilter('from');
  const [to, setTo] = useFilter('to');
  const filters = {
    ...(model === '' ? {} : { model: model === '55' ? (55 as const) : (65 as const) }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
  };
  const status = STATES.find((one) => one === show);
  const list = useList<FiscalDocument>({
    key: ['documents', show, filters],
    kinds: ['document'],
    keep: true,
    read: (at, signal) =>
      show === 'toDo'
        ? toLookAfter(filters, signal)
        : body(
            api.GET('/fiscal/documents', {
              params: {
                query: { ...filters, ...(status ? { status } : {}), limit: LIMIT, ...at },
              },
              signal,
            }),
          ),
  });
  const isFiltered = show !== '' || Object.keys(filters).length > 0;
  return (
    <Page title={t('title')}>
      <DocumentTabs current="list" />
      <div class="filters no-print">
        <SelectField
          label={t('show')}
          required
          value={show}
          onValue={setShow}
          choices={[
            { value: '', label: t('everything') },
            { value: 'toDo', label: t('toDo') },
            ...STATES.map((value) => ({ value, label: state(value) })),
          ]}
        />
        <SelectField
          label={t('model')}
          required
          value={model}
          onValue={setModel}
          choices={[
            { value: '', label: t('everything') },
            { value: '65', label: modelName('65') },
            { value: '55', label: modelName('55') },
          ]}
        />
        <DateField label={shared('from')} required value={from} onValue={setFrom} />
        <DateField label={shared('until')} required value={to} onValue={setTo} />
      </div>
      <Table
        label={t('title')}
        columns={useColumns()}
        rows={rowsOfList(list)}
        rowKey={({ id }) => id}
        href={({ id }) => `/documentos/${id}`}
        empty={<NoDocuments show={show} isFiltered={isFiltered} />}
      />
    </Page>
  );
}

function NoDocuments({ show, isFiltered }: { readonly show: string; readonly isFiltered: boolean }) {
  const t = useWords(words);
  if (show === 'toDo') return <Empty title={t('nothingToDo')} />;
  if (isFiltered) return <Empty title={t('nothingFound')} />;
  return (
    <Empty title={t('empty')}>
      <p>{t('emptyLead')}</p>
      <LinkButton href="/vendas">{t('toSales')}</LinkButton>
    </Empty>
  );
}

function useColumns(): readonly Column<FiscalDocument>[] {
  const t = useWords(words);
  const shared = useWords(frame);
  const state = useWords(documentStates);
  const remedy = useWords(remedies);
  const nameOf = useDocumentName();
  return [
    { id: 'document', title: t('document'), cell: nameOf },
    {
      id: 'status',
      title: t('status'),
      below: 'plain',
      cell: (one) => <Status tone={documentTones[one.status]}>{state(one.status)}</Status>,
    },
    {
      id: 'remedy',
      title: t('whatToDo'),
      wide: true,
      cell: (one) => {
        const what = remedyOf(one);
        return what === undefined ? '–' : <span class="advice">{remedy(what)}</span>;
      },
    },
    { id: 'issued', title: t('issued'), below: 'plain', cell: ({ issuedAt }) => moment(issuedAt) },
    { id: 'total', title: shared('total'), figure: true, cell: ({ total }) => money(total) },
  ];
}
