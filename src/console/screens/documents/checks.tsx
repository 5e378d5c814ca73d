import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { useFilter } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { SelectField } from '../../parts/fields.js';
import { Link } from '../../parts/link.js';
import { Facts, Page } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { documentModels } from '../../words/documents.js';
import { useWords } from '../../words/words.js';
import { CheckSteps } from './check-steps.js';
import { DocumentTabs } from './document-tabs.js';
import { words } from './words.js';

type FiscalStatus = components['schemas']['FiscalStatus'];

const ADAPTERS = { simulator: 'simulator', sefaz: 'sefaz', http: 'http' } as const;

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
      <CheckSteps
        checks={checks}
        wayOut={(name) =>
          (name === 'certificate' || name === 'chain') && <Link href="/configuracoes/fiscal">{t('toStore')}</Link>
        }
      />
    </>
  );
}
