import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { useFilter } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { SelectField } from '../../parts/fields.js';
import { Link } from '../../parts/link.js';
import { Facts, Page } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { documentModels } from '../../words/documents.js';
import { useWords } from '../../words/words.js';
import { DocumentTabs } from './document-tabs.js';
import { words } from './words.js';

type FiscalStatus = components['schemas']['FiscalStatus'];
type Check = FiscalStatus['checks'][number];

const ADAPTERS = { simulator: 'simulator', sefaz: 'sefaz', http: 'http' } as const;

const ADVICE = {
  certificate: 'certificateDo',
  chain: 'chainDo',
  address: 'addressDo',
  service: 'serviceDo',
  clock: 'clockDo',
  registration: 'registrationDo',
} as const;

/** Whether documents can be issued now, and which step is in the way. */
export function Checks() {
  const t = useWords(words);
  const model = useWords(documentModels);
  const [wanted, setWanted] = useFilter('model', '65');
  const status = useRead({
    key: ['fiscal-status', wanted],
    kinds: ['store'],
    read: (signal) =>
      body(api.GET('/fiscal/status', { params: { query: { model: wanted === '55' ? 55 : 65 } }, signal })),
  });
  return (
    <Page
      title={t('title')}
      actions={
        <Button busy={status.isFetching} onClick={() => void status.refetch()}>
          {t('checkAgain')}
        </Button>
      }
    >
      <DocumentTabs current="connection" />
      <div class="checks">
        <p class="lead">{t('checkLead')}</p>
        <div class="filters">
          <SelectField
            label={t('model')}
            required
            value={wanted}
            onValue={setWanted}
            choices={[
              { value: '65', label: model('65') },
              { value: '55', label: model('55') },
            ]}
          />
        </div>
        <Shown reading={status}>{(found) => <Found status={found} />}</Shown>
      </div>
    </Page>
  );
}

function Found({ status: { adapter, environment, checks } }: { readonly status: FiscalStatus }) {
  const t = useWords(words);
  const wrong = checks.filter(({ ok, tried }) => tried && !ok).length;
  return (
    <>
      <p class={`note ${wrong === 0 ? 'good' : 'warn'}`} role="status">
        {wrong === 0 ? t('allWell') : t('notWell', { n: wrong })}
      </p>
      <Facts
        facts={[
          [t('adapter'), t(ADAPTERS[adapter])],
          [t('environment'), t(environment)],
        ]}
      />
      <ol class="steps">
        {checks.map((check) => (
          <Step key={check.name} check={check} />
        ))}
      </ol>
    </>
  );
}

function Step({ check: { name, ok, tried, detail } }: { readonly check: Check }) {
  const t = useWords(words);
  return (
    <li class={ok ? 'well' : tried ? 'amiss' : 'untried'}>
      <span class="step-name">{t(name)}</span>
      {tried ? (
        <Status tone={ok ? 'good' : 'bad'}>{ok ? t('ok') : t('notOk')}</Status>
      ) : (
        <Status tone="calm">{t('notTried')}</Status>
      )}
      <span class="fine step-more">{detail}</span>
      {!ok && tried && (
        <span class="step-more">
          {t(ADVICE[name])}{' '}
          {(name === 'certificate' || name === 'chain') && <Link href="/configuracoes/fiscal">{t('toStore')}</Link>}
        </span>
      )}
    </li>
  );
}
