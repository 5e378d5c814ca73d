import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { refreshKinds, useCommand } from '../client/queries.js';
import { useMay, useMe } from '../client/session.js';
import { useStores, useSwitchStore } from '../client/stores.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { SelectField } from '../parts/fields.js';
import { Icon } from '../parts/icon.js';
import { mayLeave } from '../parts/leaving.js';
import { ProblemNote } from '../parts/problem-note.js';
import { frame } from '../words/frame.js';
import type { Language } from '../words/language.js';
import { LANGUAGES, speak, useLanguage } from '../words/language.js';
import { useWords } from '../words/words.js';
import type { Theme } from './appearance.js';
import { chooseTheme, keptTheme, THEMES } from './appearance.js';
import { useOpenHere } from './open-here.js';
import { SearchBox } from './search-box.js';
import { useSignOut } from './sign-out.js';

export function TopBar() {
  const t = useWords(frame);
  const me = useMe();
  const may = useMay();
  const stores = useStores();
  const [isOpen, setOpen] = useOpenHere();
  const here = stores.data?.find(({ slug }) => slug === me.storeSlug)?.name ?? me.storeSlug;
  return (
    <header class="top no-print">
      <Link href="/" class="brand">
        <img src="/console/icon.svg" alt={t('toStart')} width={28} height={28} />
        <span class="store-name">{here}</span>
      </Link>
      {may('products.view') || may('stock.view') ? <SearchBox /> : <div />}
      <button
        type="button"
        class="button quiet account"
        aria-haspopup="dialog"
        aria-label={`${t('account')}: ${me.name}`}
        onClick={() => {
          setOpen(true);
        }}
      >
        <Icon name="user" />
        <span class="wide-only">{me.name}</span>
      </button>
      {isOpen && (
        <Dialog
          title={me.name}
          onClose={() => {
            setOpen(false);
          }}
        >
          <Account
            onDone={() => {
              setOpen(false);
            }}
          />
        </Dialog>
      )}
    </header>
  );
}

/** What the address names is there in the other store only where it names no record, and filters by none. */
const RECORD = /[0-9a-f]{8}-[0-9a-f]{4}-/;

function Account({ onDone }: { readonly onDone: () => void }) {
  const t = useWords(frame);
  const me = useMe();
  const stores = useStores();
  const [place, go] = useLocation();
  const [theme, setTheme] = useState<Theme>(keptTheme());
  const spoken = useLanguage();
  const switchStore = useSwitchStore(() => {
    if (RECORD.test(location.href)) go(`/${place.split('/')[1] ?? ''}`);
    onDone();
  });
  const signOut = useSignOut();
  const kept = useCommand({ send: chooseTheme, kinds: [] });
  const themeName = { system: t('themeSystem'), light: t('themeLight'), dark: t('themeDark') };
  return (
    <div class="stack">
      {(stores.data?.length ?? 0) > 1 && (
        <SelectField
          label={t('switchStore')}
          required
          value={me.storeSlug}
          onValue={(slug) => {
            if (mayLeave()) switchStore.mutate(slug);
            else onDone();
          }}
          choices={(stores.data ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
        />
      )}
      <ProblemNote error={switchStore.error} />
      <SelectField
        label={t('language')}
        required
        value={spoken}
        onValue={(value) => {
          speak(value as Language);
          void refreshKinds(); // much of what the service says is in words
        }}
        choices={LANGUAGES.map((one) => ({ value: one, label: one === 'en' ? 'English' : 'Português (Brasil)' }))}
      />
      <SelectField
        label={t('theme')}
        required
        value={theme}
        onValue={(value) => {
          setTheme(value as Theme);
          kept.mutate(value as Theme);
        }}
        choices={THEMES.map((one) => ({ value: one, label: themeName[one] }))}
      />
      <ProblemNote error={kept.error} />
      <Link href="/configuracoes/conta" onClick={onDone}>
        {t('account')}
      </Link>
      <p>
        <a href="/docs" target="_blank" rel="noreferrer">
          {t('interfaceDocs')}
        </a>
      </p>
      <ProblemNote error={signOut.error} />
      <Button
        busy={signOut.isPending}
        onClick={() => {
          if (mayLeave()) signOut.mutate();
        }}
      >
        {t('signOut')}
      </Button>
    </div>
  );
}
