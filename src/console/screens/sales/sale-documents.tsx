import { useState } from 'preact/hooks';
import { api, body, dryRun } from '../../client/api.js';
import { useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { CheckField, SelectField, TextField } from '../../parts/fields.js';
import { OpenButton } from '../../parts/file-button.js';
import { Form, useForm } from '../../parts/form.js';
import { Link } from '../../parts/link.js';
import { Section } from '../../parts/page.js';
import { Empty, Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { rowsOf, Table } from '../../parts/table.js';
import { moment, whole } from '../../values/formats.js';
import { documentModels, documentStates, documentTones } from '../../words/documents.js';
import { useWords } from '../../words/words.js';
import { Refusal } from '../documents/refusal.js';
import type { FiscalDocument } from './documents-of.js';
import { isGiven, useDocumentsOf } from './documents-of.js';
import { useIsReceipt } from './receipt.js';
import type { Sale } from './sale-state.js';
import { cameBack } from './sale-state.js';
import { words } from './words.js';

const MODEL_WORDS = { '65': 'model65', '55': 'model55' } as const;
type Model = keyof typeof MODEL_WORDS;
/** The only one that a store itself may give out while the authority does not answer. */
const OFFLINE_MODEL: Model = '65';

/** Whether a document keeps another of this model from being issued: one that counts, or may come to count. */
function standsInTheWayOf(model: Model, { status, replacedBy, number, model: own }: FiscalDocument): boolean {
  if (replacedBy !== null) return false;
  if (status === 'FAILED') return number !== null || String(own) === model;
  return ['PENDING', 'AUTHORIZED', 'CONTINGENCY'].includes(status);
}

/** Which documents a sale may still get: after one that was refused another may be what is wanted. */
const openModels = (documents: readonly FiscalDocument[]): readonly Model[] =>
  (['65', '55'] as const).filter((model) => !documents.some((document) => standsInTheWayOf(model, document)));

export function SaleDocuments({ sale }: { readonly sale: Sale }) {
  const t = useWords(words);
  const may = useMay();
  const [isIssuing, setIssuing] = useState(false);
  const documents = useDocumentsOf(sale.id);
  const isReceipt = useIsReceipt();
  const models = documents.data ? openModels(documents.data) : [];
  const isToTax = sale.status === 'COMPLETED' && cameBack(sale) !== 'all';
  const canIssue = may('fiscal.manage') && isToTax && models.length > 0;
  if (isReceipt && !documents.data?.some(isGiven)) return null;
  return (
    <Section
      title={t('documents')}
      actions={
        canIssue && (
          <Button
            icon="documents"
            onClick={() => {
              setIssuing(true);
            }}
          >
            {t('issue')}
          </Button>
        )
      }
    >
      <Shown reading={documents}>{(all) => <Documents documents={all} isReceipt={isReceipt} />}</Shown>
      {isIssuing && (
        <IssueDialog
          sale={sale}
          models={models}
          onClose={() => {
            setIssuing(false);
          }}
        />
      )}
    </Section>
  );
}

function Documents({
  documents: all,
  isReceipt,
}: {
  readonly documents: readonly FiscalDocument[];
  readonly isReceipt: boolean;
}) {
  const documents = isReceipt ? all.filter(isGiven) : all;
  const t = useWords(words);
  const model = useWords(documentModels);
  const state = useWords(documentStates);
  return (
    <Table
      label={t('documents')}
      rows={rowsOf(documents)}
      rowKey={({ id }) => id}
      empty={<Empty title={t('noDocuments')} />}
      columns={[
        {
          id: 'document',
          title: t('document'),
          cell: (one) => (
            <Link href={`/documentos/${one.id}`}>
              {`${model(one.model === 55 ? '55' : '65')} ${one.number === null ? '' : whole(one.number)}`}
            </Link>
          ),
        },
        {
          id: 'status',
          title: t('status'),
          cell: (one) => (
            <>
              <Status tone={documentTones[one.status]}>{state(one.status)}</Status>
              <Refusal document={one} />
            </>
          ),
        },
        { id: 'when', title: t('when'), wide: true, cell: ({ issuedAt }) => moment(issuedAt) },
        ...(isReceipt
          ? []
          : [
              {
                id: 'pdf',
                title: t('file'),
                cell: ({ accessKey, links }: FiscalDocument) =>
                  accessKey && (
                    <OpenButton look="quiet" path={links.pdf}>
                      {t('pdf')}
                    </OpenButton>
                  ),
              },
            ]),
      ]}
    />
  );
}

interface Wish {
  readonly model: string;
  readonly contingency: boolean;
  readonly contingencyReason: string;
}

interface Issuing {
  readonly sale: Sale;
  readonly models: readonly Model[];
  readonly onClose: () => void;
}

/** The kind that suits the customer: a company that may not have an NFC-e is known by what a trial of one says. */
async function suitableModel({ id: saleId, customerId }: Sale, signal: AbortSignal): Promise<Model> {
  if (!customerId) return '65';
  const headers = { Prefer: 'dry-run' };
  const trial = await dryRun(api.POST('/fiscal/documents', { body: { saleId, model: 65 }, headers, signal }));
  return (trial.body as FiscalDocument).failure?.code === 'COMPANY_NEEDS_55' ? '55' : '65';
}

function IssueDialog({ sale, models: present, onClose }: Issuing) {
  const t = useWords(words);
  // What is issued here is in its own way from then on, also while nobody has answered.
  const [models] = useState(present);
  const suitable = useRead({
    key: ['documents', 'suitable', sale.id],
    kinds: ['customer', 'store'],
    when: models.length > 1,
    read: (signal) => suitableModel(sale, signal).catch(() => '65' as const),
  });
  const first = models.length > 1 ? suitable.data : models[0];
  return (
    <Dialog title={t('issue')} onClose={onClose}>
      <Shown reading={{ ...suitable, data: first }}>
        {(model) => <IssueForm {...{ sale, models, model, onClose }} />}
      </Shown>
    </Dialog>
  );
}

function IssueForm({ sale, models, model: first, onClose }: Issuing & { readonly model: Model }) {
  const t = useWords(words);
  const form = useForm<Wish>({ model: first, contingency: false, contingencyReason: '' });
  const { values } = form;
  const issue = useCommand({
    send: ({ model, contingency, contingencyReason }: Wish, headers) =>
      body(
        api.POST('/fiscal/documents', {
          body: {
            saleId: sale.id,
            model: model === '55' ? 55 : 65,
            ...(contingency && model === OFFLINE_MODEL
              ? { contingency, contingencyReason: contingencyReason.trim() }
              : {}),
          },
          headers,
        }),
      ),
    kinds: ['document', 'sale'],
    onDone: onClose,
  });
  return (
    <Form
      sending={issue}
      submit={t('issue')}
      cancel={onClose}
      form={form}
      onSubmit={() => {
        issue.mutate(values);
      }}
    >
      <p>{t('issueLead')}</p>
      <SelectField
        label={t('model')}
        required
        {...form.field('model')}
        choices={models.map((model) => ({ value: model, label: t(MODEL_WORDS[model]) }))}
      />
      {values.model === OFFLINE_MODEL && (
        <CheckField label={t('contingency')} hint={t('contingencyHint')} {...form.tick('contingency')} />
      )}
      {values.model === OFFLINE_MODEL && values.contingency && (
        <TextField
          label={t('contingencyReason')}
          required
          minLength={15}
          maxLength={256}
          {...form.field('contingencyReason')}
        />
      )}
    </Form>
  );
}
