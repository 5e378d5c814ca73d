import { useState } from 'preact/hooks';
import type { Tagged } from '../../client/api.js';
import { api, body, tagged } from '../../client/api.js';
import { ifMatch, useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { TextField } from '../../parts/fields.js';
import { Form } from '../../parts/form.js';
import { HistoryLink } from '../../parts/last-change.js';
import { Link } from '../../parts/link.js';
import { Facts, Page, Section } from '../../parts/page.js';
import { useRecordForm, useSaving } from '../../parts/record-form.js';
import { Empty, Shown } from '../../parts/shown.js';
import { rowsOf, Table } from '../../parts/table.js';
import { moment } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { useSaleColumns } from '../sales/sale-list.js';
import type { Customer, CustomerValues } from './customer-fields.js';
import { bodyOf, CustomerFields, valuesOf } from './customer-fields.js';
import { words } from './words.js';

export function CustomerPage({ id }: { readonly id: string }) {
  const may = useMay();
  const reading = useRead({
    key: ['customer', id],
    kinds: ['customer'],
    read: (signal) => tagged(api.GET('/customers/{id}', { params: { path: { id } }, signal })),
  });
  return (
    <Shown reading={reading}>
      {(customer) => (
        <>
          {customer.record.erasedAt ? (
            <ErasedCustomer customer={customer.record} />
          ) : (
            <OneCustomer customer={customer} />
          )}
          {may('sales.view') && <SalesOf id={id} />}
        </>
      )}
    </Shown>
  );
}

function ErasedCustomer({ customer }: { readonly customer: Customer }) {
  const t = useWords(words);
  return (
    <Page title={t('erasedName')} back={{ href: '/clientes', label: t('title') }}>
      <p class="note">{t('erasedLead', { when: moment(customer.erasedAt) })}</p>
    </Page>
  );
}

function OneCustomer({ customer }: { readonly customer: Tagged<Customer> }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const may = useMay();
  const { record } = customer;
  const [isErasing, setErasing] = useState(false);
  const form = useRecordForm(customer, valuesOf, t);
  const change = useCommand({
    send: (values: CustomerValues, headers) =>
      tagged(
        api.PATCH('/customers/{id}', {
          params: { path: { id: record.id } },
          body: bodyOf(values),
          headers: ifMatch(headers, form),
        }),
      ),
    kinds: ['customer'],
    onDone: (answer, sent) => {
      form.saved(sent, answer);
    },
  });
  const canChange = may('customers.manage');
  return (
    <Page
      title={record.name ?? shared('noName')}
      back={{ href: '/clientes', label: t('title') }}
      actions={
        canChange && (
          <Button
            icon="bin"
            look="danger"
            onClick={() => {
              setErasing(true);
            }}
          >
            {t('erase')}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          [t('since'), moment(record.createdAt)],
          [
            t('changed'),
            <HistoryLink key="changed" kind="customer" id={record.id}>
              {moment(record.updatedAt)}
            </HistoryLink>,
          ],
        ]}
      />
      <Section title={t('basics')}>
        <Form
          sending={change}
          {...useSaving(form, change, canChange)}
          form={form}
          conflict={form.conflict}
          onSubmit={() => {
            change.mutate(form.values);
          }}
        >
          <CustomerFields form={form} disabled={!canChange} />
        </Form>
      </Section>
      {isErasing && (
        <EraseDialog
          customer={customer}
          onClose={() => {
            setErasing(false);
          }}
        />
      )}
    </Page>
  );
}

const FEW = 20;

function SalesOf({ id }: { readonly id: string }) {
  const t = useWords(words);
  const columns = useSaleColumns();
  const sales = useRead({
    key: ['sales', 'of-customer', id],
    kinds: ['sale'],
    read: (signal) => body(api.GET('/sales', { params: { query: { customerId: id, limit: FEW } }, signal })),
  });
  return (
    <Section
      title={t('sales')}
      actions={sales.data?.nextCursor && <Link href={`/vendas?customerId=${id}`}>{t('allSales')}</Link>}
    >
      <Shown reading={sales}>
        {({ items }) => (
          <Table
            label={t('sales')}
            columns={columns.filter((column) => column.id !== 'customer')}
            rows={rowsOf(items)}
            rowKey={(sale) => sale.id}
            href={(sale) => `/vendas/${sale.id}`}
            empty={<Empty title={t('noSales')} />}
          />
        )}
      </Shown>
    </Section>
  );
}

/** Says what erasing destroys and what it leaves, and asks for the name, so that nobody does it to the wrong one. */
function EraseDialog({ customer, onClose }: { readonly customer: Tagged<Customer>; readonly onClose: () => void }) {
  const t = useWords(words);
  const { record } = customer;
  const [typed, setTyped] = useState('');
  const isSame = typed.trim().toLocaleLowerCase() === (record.name ?? '').trim().toLocaleLowerCase();
  return (
    <DestructiveDialog
      title={t('erase')}
      submit={t('eraseSubmit')}
      subject={['customer', record.id]}
      etag={customer.etag}
      kinds={['customer', 'sale']}
      send={(sent) => api.POST('/customers/{id}/erase', { params: { path: { id: record.id } }, ...sent })}
      ready={isSame}
      onClose={onClose}
      below={
        <TextField
          label={t('eraseAsked', { name: record.name ?? '' })}
          required
          autocomplete="off"
          value={typed}
          onValue={setTyped}
        />
      }
    >
      {() => (
        <>
          <p>{t('eraseLead')}</p>
          <p>{t('eraseKeeps')}</p>
        </>
      )}
    </DestructiveDialog>
  );
}
