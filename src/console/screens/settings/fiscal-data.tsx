import { useState } from 'preact/hooks';
import type { Tagged } from '../../client/api.js';
import { api, body, tagged } from '../../client/api.js';
import { ifMatch, useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { AddressFields, addressBody, addressValues } from '../../parts/address-fields.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { CheckField, Field, NumberField, SelectField, TextField } from '../../parts/fields.js';
import type { FormState } from '../../parts/form.js';
import { Form, useForm } from '../../parts/form.js';
import { Link } from '../../parts/link.js';
import { Facts, Section } from '../../parts/page.js';
import { useRecordForm, useSaving } from '../../parts/record-form.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { day, daysUntil, isoDay, moment, readNumber } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { CheckSteps } from '../documents/check-steps.js';
import { fiscalWords } from './fiscal-words.js';
import type { Store } from './store-data.js';
import { useStore } from './store-data.js';

export function FiscalData() {
  const may = useMay();
  return (
    <Shown reading={useStore()}>
      {(store) => (
        <>
          {may('fiscal.view') && <Readiness lacksTaxId={store.record.taxId === null} />}
          <Certificate store={store} />
          <FiscalForm store={store} />
        </>
      )}
    </Shown>
  );
}

function Readiness({ lacksTaxId }: { readonly lacksTaxId: boolean }) {
  const t = useWords(fiscalWords);
  const reading = useRead({
    key: ['fiscal', 'status'],
    kinds: ['store', 'taxRule'],
    read: (signal) => body(api.GET('/fiscal/status', { signal })),
  });
  return (
    <Section title={t('ready')}>
      <Shown reading={reading} fillsView>
        {({ adapter, checks }) => (
          <>
            {adapter === 'simulator' && <p class="note">{t('simulated')}</p>}
            <CheckSteps
              checks={checks}
              wayOut={(name) =>
                lacksTaxId && name === 'certificate' && <Link href="/configuracoes/loja">{t('taxIdFirst')}</Link>
              }
            />
          </>
        )}
      </Shown>
    </Section>
  );
}

const SOON_DAYS = 30;

function CertificateState({ expiresAt }: { readonly expiresAt: string | null }) {
  const t = useWords(fiscalWords);
  if (expiresAt === null) return <Status tone="warn">{t('certificateNone')}</Status>;
  const end = Date.parse(expiresAt);
  if (end <= Date.now()) return <Status tone="bad">{t('certificateOver', { when: moment(expiresAt) })}</Status>;
  const left = daysUntil(isoDay(0, end));
  const until = t('certificateUntil', { when: day(expiresAt) });
  return left > SOON_DAYS ? (
    <Status tone="good">{until}</Status>
  ) : (
    <Status tone="warn">{`${until}: ${t('certificateDays', { n: left })}`}</Status>
  );
}

function Certificate({ store }: { readonly store: Tagged<Store> }) {
  const t = useWords(fiscalWords);
  const [isSending, setSending] = useState(false);
  const { certificateSubject, certificateExpiresAt } = store.record.fiscal;
  return (
    <Section
      title={t('certificate')}
      actions={
        <Button
          onClick={() => {
            setSending(true);
          }}
        >
          {t('certificateSend')}
        </Button>
      }
    >
      <div class="stack">
        <CertificateState expiresAt={certificateExpiresAt} />
        {certificateSubject && <Facts facts={[[t('certificateHolder'), certificateSubject]]} />}
      </div>
      {isSending && (
        <SendCertificate
          store={store}
          onClose={() => {
            setSending(false);
          }}
        />
      )}
    </Section>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

interface CertificateUpload {
  readonly file: File;
  readonly password: string;
}

function SendCertificate({ store, onClose }: { readonly store: Tagged<Store>; readonly onClose: () => void }) {
  const t = useWords(fiscalWords);
  const [file, setFile] = useState<File>();
  const form = useForm({ password: '' });
  const send = useCommand({
    send: async ({ file, password }: CertificateUpload, headers) => {
      const format = file.name.toLowerCase().endsWith('.pem') ? ('PEM' as const) : ('PFX' as const);
      const certificate = { format, content: await base64Of(file), password };
      return body(api.PATCH('/store', { body: { fiscal: { certificate } }, headers: ifMatch(headers, store) }));
    },
    kinds: ['store'],
    onDone: onClose,
  });
  return (
    <Dialog title={t('certificateSend')} onClose={onClose}>
      <Form
        sending={send}
        submit={t('certificateSend')}
        cancel={onClose}
        form={{ isDirty: file !== undefined || form.isDirty }}
        disabled={!file}
        onSubmit={() => {
          if (file) send.mutate({ file, ...form.values });
        }}
      >
        <p>{t('certificateLead')}</p>
        <Field label={t('certificateFile')} path="fiscal.certificate.content" required>
          {(described) => (
            <input
              {...described}
              type="file"
              accept=".pfx,.p12,.pem"
              onChange={({ currentTarget }) => {
                setFile(currentTarget.files?.[0]);
              }}
            />
          )}
        </Field>
        <TextField
          label={t('certificatePassword')}
          type="password"
          autocomplete="off"
          {...form.field('password')}
          path="fiscal.certificate.password"
        />
      </Form>
    </Dialog>
  );
}

const valuesOf = ({ fiscal }: Store) => ({
  environment: fiscal.environment as string,
  taxRegime: fiscal.taxRegime as string,
  stateRegistration: fiscal.stateRegistration ?? '',
  address: addressValues(fiscal.address),
  series55: String(fiscal.series['55']),
  series65: String(fiscal.series['65']),
  next55: String(fiscal.nextNumbers['55']),
  next65: String(fiscal.nextNumbers['65']),
  cancel55: String(fiscal.cancelMinutes['55']),
  cancel65: String(fiscal.cancelMinutes['65']),
  offline65: fiscal.offline65,
  allow65ToCompany: fiscal.allow65ToCompany,
  qrCode: String(fiscal.qrCode),
  cscId: fiscal.csc?.id ?? '',
  cscToken: '',
  contactTaxId: fiscal.technicalContact?.taxId ?? '',
  contactName: fiscal.technicalContact?.name ?? '',
  contactEmail: fiscal.technicalContact?.email ?? '',
  contactPhone: fiscal.technicalContact?.phone ?? '',
  simulatorOutage: fiscal.simulatorOutage,
});
type Values = ReturnType<typeof valuesOf>;

const pair = (first: string, second: string) => ({ '55': readNumber(first) ?? 0, '65': readNumber(second) ?? 0 });

function contactOf({ contactTaxId, contactName, contactEmail, contactPhone }: Values) {
  const typed = [contactTaxId, contactName, contactEmail, contactPhone].map((value) => value.trim());
  const [taxId = '', name = '', email = '', phone = ''] = typed;
  return typed.every((value) => value === '') ? null : { taxId, name, email, phone };
}

const cscOf = ({ cscId, cscToken }: Values) =>
  cscId.trim() === '' ? null : { id: cscId.trim(), ...(cscToken.trim() === '' ? {} : { token: cscToken.trim() }) };

/** Only what was touched is sent, so that numbers that documents take meanwhile are left alone. */
function bodyOf(values: Values, before: Values) {
  const touched = (...names: (keyof Values)[]) =>
    names.some((name) => JSON.stringify(values[name]) !== JSON.stringify(before[name]));
  return {
    ...(touched('environment') ? { environment: values.environment as Store['fiscal']['environment'] } : {}),
    ...(touched('taxRegime') ? { taxRegime: values.taxRegime as Store['fiscal']['taxRegime'] } : {}),
    ...(touched('stateRegistration') ? { stateRegistration: values.stateRegistration.trim() || null } : {}),
    ...(touched('address') ? { address: addressBody(values.address) } : {}),
    ...(touched('series55', 'series65') ? { series: pair(values.series55, values.series65) } : {}),
    ...(touched('next55', 'next65') ? { nextNumbers: pair(values.next55, values.next65) } : {}),
    ...(touched('cancel55', 'cancel65') ? { cancelMinutes: pair(values.cancel55, values.cancel65) } : {}),
    ...(touched('offline65') ? { offline65: values.offline65 } : {}),
    ...(touched('allow65ToCompany') ? { allow65ToCompany: values.allow65ToCompany } : {}),
    ...(touched('qrCode') ? { qrCode: values.qrCode === '2' ? (2 as const) : (3 as const) } : {}),
    ...(touched('cscId', 'cscToken') ? { csc: cscOf(values) } : {}),
    ...(touched('contactTaxId', 'contactName', 'contactEmail', 'contactPhone')
      ? { technicalContact: contactOf(values) }
      : {}),
    ...(touched('simulatorOutage') ? { simulatorOutage: values.simulatorOutage } : {}),
  };
}

function FiscalForm({ store }: { readonly store: Tagged<Store> }) {
  const t = useWords(fiscalWords);
  const form = useRecordForm(store, valuesOf, (field) => t(field as keyof typeof fiscalWords), {
    valueText: (field, values) =>
      field === 'environment' || field === 'taxRegime' ? t(values[field] as keyof typeof fiscalWords) : undefined,
  });
  const change = useCommand({
    send: (values: Values, headers) =>
      tagged(
        api.PATCH('/store', {
          body: { fiscal: bodyOf(values, form.before) },
          headers: ifMatch(headers, form),
        }),
      ),
    kinds: ['store'],
    onDone: (answer, sent) => {
      form.saved({ ...sent, cscToken: '' }, answer);
      form.change({ cscToken: '' });
    },
  });
  return (
    <Section title={t('issuing')}>
      <Form
        sending={change}
        {...useSaving(form, change)}
        form={form}
        conflict={form.conflict}
        onSubmit={() => {
          change.mutate(form.values);
        }}
      >
        <FiscalFields form={form} />
      </Form>
    </Section>
  );
}

type TextName = Exclude<keyof Values, 'address' | 'offline65' | 'allow65ToCompany' | 'simulatorOutage'>;

function FiscalFields({ form }: { readonly form: FormState<Values> }) {
  const t = useWords(fiscalWords);
  const { values, set } = form;
  const text = (name: TextName, path: string, hint?: string) => (
    <TextField
      label={t(name)}
      {...{ path, hint }}
      autocomplete="off"
      value={values[name]}
      onValue={(value) => {
        set(name, value);
      }}
    />
  );
  const number = (name: TextName, path: string, unit?: string) => (
    <NumberField
      label={t(name)}
      {...{ path, unit }}
      required
      value={values[name]}
      onValue={(value) => {
        set(name, value);
      }}
    />
  );
  const select = (
    name: 'environment' | 'taxRegime' | 'qrCode',
    choices: readonly { value: string; label: string }[],
  ) => (
    <SelectField
      label={t(name)}
      path={`fiscal.${name}`}
      required
      {...{ choices }}
      value={values[name]}
      onValue={(value) => {
        set(name, value);
      }}
    />
  );
  const check = (name: 'offline65' | 'allow65ToCompany' | 'simulatorOutage') => (
    <CheckField
      label={t(name)}
      checked={values[name]}
      onChecked={(checked) => {
        set(name, checked);
      }}
    />
  );
  const named = <N extends keyof typeof fiscalWords>(names: readonly N[]) =>
    names.map((name) => ({ value: name, label: t(name) }));
  return (
    <>
      <div class="fields">
        {select('environment', named(['HOMOLOGATION', 'PRODUCTION']))}
        {select('taxRegime', named(['SIMPLES', 'SIMPLES_EXCESS', 'NORMAL', 'MEI']))}
        {text('stateRegistration', 'fiscal.stateRegistration')}
      </div>
      <fieldset class="form">
        <legend class="legend">{t('address')}</legend>
        <AddressFields
          path="fiscal.address"
          withPhone
          values={values.address}
          onChange={(address) => {
            set('address', address);
          }}
        />
      </fieldset>
      <fieldset class="form">
        <legend class="legend">{t('numbering')}</legend>
        <p class="hint">{t('numberingHint')}</p>
        <div class="fields">
          {number('series55', 'fiscal.series.55')}
          {number('next55', 'fiscal.nextNumbers.55')}
          {number('cancel55', 'fiscal.cancelMinutes.55', t('minutes'))}
        </div>
        <div class="fields">
          {number('series65', 'fiscal.series.65')}
          {number('next65', 'fiscal.nextNumbers.65')}
          {number('cancel65', 'fiscal.cancelMinutes.65', t('minutes'))}
        </div>
      </fieldset>
      <fieldset class="form">
        <legend class="legend">{t('consumer')}</legend>
        <div class="fields">
          {select('qrCode', [
            { value: '3', label: '3' },
            { value: '2', label: '2' },
          ])}
          {text('cscId', 'fiscal.csc.id')}
          {text('cscToken', 'fiscal.csc.token', t('cscTokenHint'))}
        </div>
        {check('offline65')}
        {check('allow65ToCompany')}
        {check('simulatorOutage')}
      </fieldset>
      <fieldset class="form">
        <legend class="legend">{t('contact')}</legend>
        <div class="fields">
          {text('contactTaxId', 'fiscal.technicalContact.taxId')}
          {text('contactName', 'fiscal.technicalContact.name')}
          {text('contactEmail', 'fiscal.technicalContact.email')}
          {text('contactPhone', 'fiscal.technicalContact.phone')}
        </div>
      </fieldset>
    </>
  );
}
