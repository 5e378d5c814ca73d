import { Redirect, Route, Switch } from 'wouter-preact';
import type { ComponentChildren } from 'preact';
import type { Permission } from '../../client/session.js';
import { useMay } from '../../client/session.js';
import { Page, Tabs } from '../../parts/page.js';
import { useWords } from '../../words/words.js';
import { Account } from './account.js';
import { ApiKeys } from './api-keys.js';
import { Backups } from './backups.js';
import { FiscalData } from './fiscal-data.js';
import { People } from './people.js';
import { PersonPage } from './person-page.js';
import { StoreData } from './store-data.js';
import { TaxRules } from './tax-rules.js';
import { fiscalWords } from './fiscal-words.js';
import { words } from './words.js';

const BASE = '/configuracoes';

interface Part {
  readonly id: string;
  readonly name: string;
  readonly permission?: Permission;
  readonly shown: () => ComponentChildren;
}

function useParts(): readonly Part[] {
  const t = useWords(words);
  const fiscal = useWords(fiscalWords);
  const may = useMay();
  const all: readonly Part[] = [
    { id: 'conta', name: t('account'), shown: () => <Account /> },
    { id: 'loja', name: t('store'), permission: 'store.manage', shown: () => <StoreData /> },
    { id: 'fiscal', name: fiscal('data'), permission: 'store.manage', shown: () => <FiscalData /> },
    { id: 'impostos', name: fiscal('rules'), permission: 'fiscal.view', shown: () => <TaxRules /> },
    { id: 'pessoas', name: t('people'), permission: 'users.manage', shown: () => <People /> },
    { id: 'chaves', name: t('keys'), permission: 'apiKeys.manage', shown: () => <ApiKeys /> },
    { id: 'copias', name: t('backups'), permission: 'store.manage', shown: () => <Backups /> },
  ];
  return all.filter(({ permission }) => permission === undefined || may(permission));
}

/** How the store and one's own account are set up: `/configuracoes/conta`, `…/loja`, `…/pessoas/{id}` and so on. */
export default function Settings() {
  const t = useWords(words);
  const may = useMay();
  const parts = useParts();
  return (
    <Switch>
      {may('users.manage') && <Route path={`${BASE}/pessoas/:id`}>{({ id }) => <PersonPage key={id} id={id} />}</Route>}
      {parts.map(({ id, name, shown }) => (
        <Route key={id} path={`${BASE}/${id}`}>
          <Page title={name}>
            <Tabs
              label={t('title')}
              current={id}
              tabs={parts.map((part) => ({ id: part.id, href: `${BASE}/${part.id}`, label: part.name }))}
            />
            {shown()}
          </Page>
        </Route>
      ))}
      <Route>
        <Redirect to={`${BASE}/conta`} replace />
      </Route>
    </Switch>
  );
}
