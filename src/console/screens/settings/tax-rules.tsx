import type { components } from 'openapi-client';
import { useState } from 'preact/hooks';
import type { Tagged } from '../../client/api.js';
import { api, body, tagged } from '../../client/api.js';
import { ifMatch, useCommand, useList, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button, IconButton } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogForm } from '../../parts/dialog-form.js';
import { Section } from '../../parts/page.js';
import { useForm } from '../../parts/form.js';
import { useRecordForm } from '../../parts/record-form.js';
import { Empty, Shown } from '../../parts/shown.js';
import { rowsOfList, Table } from '../../parts/table.js';
import { percent } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { fiscalWords } from './fiscal-words.js';
import type { RuleValues } from './tax-rule-fields.js';
import { bodyOf, noRule, TaxRuleFields, useRuleFieldName, useRuleText, valuesOf } from './tax-rule-fields.js';

type TaxRule = components['schemas']['TaxRule'];

export function TaxRules() {
  const t = useWords(fiscalWords);
  const shared = useWords(frame);
  const may = useMay();
  const [edited, setEdited] = useState<string>();
  const close = () => {
    setEdited(undefined);
  };
  const rules = useList<TaxRule>({
    key: ['tax-rules'],
    kinds: ['taxRule'],
    read: (at, signal) => body(api.GET('/fiscal/tax-rules', { params: { query: { limit: 100, ...at } }, signal })),
  });
  const canManage = may('fiscal.manage');
  return (
    <Section
      title={t('rulesHere')}
      actions={
        canManage && (
          <Button
            icon="plus"
            look="main"
            onClick={() => {
              setEdited('new');
            }}
          >
            {t('ruleNew')}
          </Button>
        )
      }
    >
      <p class="hint">{t('ruleLead')}</p>
      <Table
        label={t('rules')}
        rows={rowsOfList(rules)}
        rowKey={({ id }) => id}
        empty={<Empty title={t('ruleNone')} />}
        columns={[
          { id: 'name', title: t('ruleName'), cell: ({ name }) => name },
          { id: 'ncm', title: t('ncmPrefix'), cell: ({ match }) => match.ncmPrefix || t('ncmAny') },
          {
            id: 'cfop',
            title: t('origins'),
            wide: true,
            cell: (rule) => `${rule.cfopInState} · ${rule.cfopOutOfState} · ${rule.cfopOutOfStateConsumer}`,
          },
          {
            id: 'icms',
            title: t('icms'),
            wide: true,
            cell: ({ icms }) => [icms.code, icms.rate !== null && percent(icms.rate, 2)].filter(Boolean).join(' · '),
          },
          { id: 'pis', title: t('pis'), wide: true, cell: ({ pis }) => pis.cst },
          { id: 'cofins', title: t('cofins'), wide: true, cell: ({ cofins }) => cofins.cst },
          {
            id: 'edit',
            title: t('actions'),
            cell: ({ id, name }) =>
              canManage && (
                <IconButton
                  icon="edit"
                  label={`${shared('edit')}: ${name}`}
                  onClick={() => {
                    setEdited(id);
                  }}
                />
              ),
          },
        ]}
      />
      {edited === 'new' && <NewRule onClose={close} />}
      {edited !== undefined && edited !== 'new' && <KnownRule id={edited} onClose={close} />}
    </Section>
  );
}

function NewRule({ onClose }: { readonly onClose: () => void }) {
  const t = useWords(fiscalWords);
  const form = useForm(noRule);
  const create = useCommand({
    send: (values: RuleValues, headers) => body(api.POST('/fiscal/tax-rules', { body: bodyOf(values), headers })),
    adds: '/fiscal/tax-rules',
    kinds: ['taxRule'],
    onDone: onClose,
  });
  return (
    <Dialog title={t('ruleNew')} onClose={onClose} wide>
      <DialogForm form={form} saving={create} onClose={onClose}>
        <TaxRuleFields form={form} />
      </DialogForm>
    </Dialog>
  );
}

function KnownRule({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useWords(fiscalWords);
  const reading = useRead({
    key: ['tax-rule', id],
    kinds: ['taxRule'],
    read: (signal) => tagged(api.GET('/fiscal/tax-rules/{id}', { params: { path: { id } }, signal })),
  });
  return (
    <Dialog title={reading.data?.record.name ?? t('rules')} onClose={onClose} wide>
      <Shown reading={reading}>{(rule) => <EditRule rule={rule} onClose={onClose} />}</Shown>
    </Dialog>
  );
}

function EditRule({ rule, onClose }: { readonly rule: Tagged<TaxRule>; readonly onClose: () => void }) {
  const t = useWords(fiscalWords);
  const { record } = rule;
  const history = { kind: 'taxRule', id: record.id };
  const form = useRecordForm(rule, valuesOf, useRuleFieldName(), { history, valueText: useRuleText() });
  const params = { path: { id: record.id } };
  const change = useCommand({
    send: (values: RuleValues, headers) =>
      body(
        api.PATCH('/fiscal/tax-rules/{id}', {
          params,
          body: bodyOf(values),
          headers: ifMatch(headers, form),
        }),
      ),
    kinds: ['taxRule'],
    onDone: onClose,
  });
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <DialogForm
        form={form}
        saving={change}
        onClose={onClose}
        disabled={!form.isDirty}
        removal={{
          label: t('ruleDelete'),
          onAsk: () => {
            setRemoving(true);
          },
        }}
      >
        <TaxRuleFields form={form} />
      </DialogForm>
      {isRemoving && (
        <DestructiveDialog
          title={t('ruleDelete')}
          subject={['tax-rule', record.id]}
          etag={form.etag}
          kinds={['taxRule']}
          send={(sent) =>
            api.DELETE('/fiscal/tax-rules/{id}', {
              params,
              ...sent,
            })
          }
          onDone={onClose}
          onClose={() => {
            setRemoving(false);
          }}
        >
          {() => <p>{t('ruleDeleteLead', { name: record.name })}</p>}
        </DestructiveDialog>
      )}
    </>
  );
}
