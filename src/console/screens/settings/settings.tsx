import { Redirect, Route, Switch } from 'wouter-preact';
import type { ComponentChildren } from 'preact';
import type { Permission } from '../../client/session.js';
import { useMay } from '../../client/session.js';
import { Nowhere } from '../../parts/nowhere.js';
import { Page, Tabs } from '../../parts/page.js';
import { Allowed, Permitted } from '../../parts/permitted.js';
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

function useAllParts(): readonly Part[] {
  const t = useWords(words);
  const fiscal = useWords(fiscalWords);
  return [
    { id: 'conta', name: t('account'), shown: () => <Account /> },
    { id: 'loja', name: t('store'), permission: 'store.manage', shown: () => <StoreData /> },
    { id: 'fiscal', name: fiscal('data'), permission: 'store.manage', shown: () => <FiscalData /> },
    { id: 'impostos', name: fiscal('rules'), permission: 'fiscal.view', shown: () => <TaxRules /> },
    { id: 'pessoas', name: t('people'), permission: 'users.manage', shown: () => <People /> },
    { id: 'chaves', name: t('keys'), permission: 'apiKeys.manage', shown: () => <ApiKeys /> },
    { id: 'copias', name: t('backups'), permission: 'store.manage', shown: () => <Backups /> },
  ];
}

/** How the store and one's own account are set up: `/configuracoes/conta`, `…/loja`, `…/pessoas/{id}` and so on. */
export default function Settings() {
  const t = useWords(words);
  const may = useMay();
  const all = useAllParts();
  const parts = all.filter(({ permission }) => permission === undefined || may(permission));
  return (
    <Switch>
      <Route path={`${BASE}/pessoas/:id`}>
        {({ id }) => (
          <Permitted to="users.manage">
            <PersonPage key={id} id={id} />
          </Permitted>
        )}
      </Route>
      {all.map((part) => (
        <Route key={part.id} path={`${BASE}/${part.id}`}>
          <Allowed when={parts.includes(part)}>
            <Page title={part.name}>
              <Tabs
                label={t('title')}
                current={part.id}
                tabs={parts.map(({ id, name }) => ({ id, href: `${BASE}/${id}`, label: name }))}
              />
              {part.shown()}
            </Page>
          </Allowed>
        </Route>
      ))}
      <Route path={BASE}>
        <Redirect to={`${BASE}/conta`} replace />
      </Route>
      <Route>
        <Nowhere reason="notFound" />
      </Route>
    </Switch>
  );
}
