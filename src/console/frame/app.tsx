import type { FunctionComponent } from 'preact';
import { useEffect, useErrorBoundary, useMemo, useState } from 'preact/hooks';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter-preact';
import { useSearch } from 'wouter-preact/use-browser-location';
import { api, body } from '../client/api.js';
import { followChanges } from '../client/live.js';
import { isPassing, Refused } from '../client/problem.js';
import { setSession, useMe, useSession, wasSignedIn } from '../client/session.js';
import { useOwnStore } from '../client/store.js';
import { AllowedPlaces } from '../parts/link.js';
import { Nowhere } from '../parts/nowhere.js';
import { BeforePage, Page } from '../parts/page.js';
import { Allowed } from '../parts/permitted.js';
import { ProblemNote } from '../parts/problem-note.js';
import { fetchRefusalWords } from '../parts/refused-fields.js';
import { useReturning } from '../parts/returning.js';
import { Loading, Shown } from '../parts/shown.js';
import { screens } from '../screens/index.js';
import type { Screen } from '../screens/screen.js';
import { setTimeZone } from '../values/formats.js';
import { frame } from '../words/frame.js';
import type { Text } from '../words/words.js';
import { say, useWords } from '../words/words.js';
import { useLanguage } from '../words/language.js';
import { Doorway } from './doorway.js';
import { Letterhead } from './letterhead.js';
import { useLostFocus } from './lost-focus.js';
import { AcceptInvitation, ConfirmEmail, ForgotPassword, MailPage, ResetPassword } from './mail-pages.js';
import { Navigation } from './navigation.js';
import { PresenceNotes } from './presence-notes.js';
import { QuestionDialog } from './question-dialog.js';
import { LostSession, SwitchedStore } from './session-dialogs.js';
import { SignIn } from './sign-in.js';
import { signInWords } from './sign-in-words.js';
import { showTheme } from './appearance.js';
import { TopBar } from './top-bar.js';
import { useLoaded } from './loaded.js';
import { useNewDays } from './new-days.js';
import { useUnsentSales } from './unsent-sales.js';

const MAIL_PAGES: readonly { path: string; title: Text; page: FunctionComponent }[] = [
  { path: '/forgot-password', title: signInWords.forgotTitle, page: ForgotPassword },
  { path: '/reset-password', title: signInWords.resetTitle, page: ResetPassword },
  { path: '/confirm-email', title: signInWords.confirmTitle, page: ConfirmEmail },
  { path: '/accept-invitation', title: signInWords.inviteTitle, page: AcceptInvitation },
];

/** The router decodes once more than was encoded: a percent sign that was typed stays one all the same. */
const useTypedSearch = () => useSearch().replaceAll('%25', '%2525');

export function App() {
  useLanguage();
  return (
    <Router base="/console" searchHook={useTypedSearch}>
      <Switch>
        {MAIL_PAGES.map(({ path, ...page }) => (
          <Route key={path} path={path}>
            <MailPage {...page} />
          </Route>
        ))}
        <Route>
          <SignedIn />
        </Route>
      </Switch>
    </Router>
  );
}

/** Finds out who is signed in. A lost connection, or a page that is left before it has the whole answer, says nothing about that. */
async function findSession(): Promise<void> {
  const me = wasSignedIn() ? await body(api.GET('/auth/me')).catch(nobody) : undefined;
  setSession(me ? { kind: 'signed-in', me } : { kind: 'none' });
}

function nobody(error: unknown): undefined {
  if (!(error instanceof Refused) || isPassing(error)) throw error;
}

const ASKED_AGAIN_AFTER_MILLISECONDS = 3_000;

function SignedIn() {
  const session = useSession();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined;
    const find = (): void => {
      findSession().catch((error: unknown) => {
        setFailure(error);
        again = setTimeout(find, ASKED_AGAIN_AFTER_MILLISECONDS);
      });
    };
    find();
    return () => {
      clearTimeout(again);
    };
  }, []);
  if (session.kind === 'unknown') {
    if (failure === undefined) return <Loading />;
    return (
      <Doorway title={say(frame.loading)}>
        <ProblemNote error={failure} />
      </Doorway>
    );
  }
  if (!('me' in session)) {
    return <SignIn>{(title, step) => <Doorway title={title}>{step}</Doorway>}</SignIn>;
  }
  return <Workplace key={session.me.storeSlug} permissions={session.me.permissions} />;
}

const REFUSALS_AFTER_MILLISECONDS = 2_000;

function Workplace({ permissions }: { readonly permissions: readonly string[] }) {
  const t = useWords(frame);
  const session = useSession();
  useEffect(() => followChanges(), []);
  useEffect(() => {
    const soon = setTimeout(() => void fetchRefusalWords(), REFUSALS_AFTER_MILLISECONDS);
    return () => {
      clearTimeout(soon);
    };
  }, []);
  useStoreSettings();
  useLostFocus();
  useNewDays();
  useUnsentSales();
  const allowed = useMemo(
    () => screens.filter((screen) => screen.permissions.every((needed) => permissions.includes(needed))),
    [permissions],
  );
  const places = useMemo(() => new Set(allowed.map(({ path }) => path)), [allowed]);
  return (
    <div class="workplace">
      <a class="skip" href="#content">
        {t('skip')}
      </a>
      <TopBar />
      <Navigation screens={allowed} />
      <Letterhead />
      <main id="content">
        <PresenceNotes />
        <AllowedPlaces value={places}>
          <Places allowed={allowed} />
        </AllowedPlaces>
      </main>
      <QuestionDialog />
      {session.kind === 'lost' && <LostSession />}
      {session.kind === 'switched' && <SwitchedStore />}
    </div>
  );
}

/** The store's time zone and the theme of who is signed in. */
function useStoreSettings(): void {
  const session = useSession();
  const theme = 'me' in session ? session.me.uiPreferences?.theme : undefined;
  useEffect(() => {
    if (theme) showTheme(theme);
  }, [theme]);
  const zone = useOwnStore().data?.timeZone;
  useEffect(() => {
    if (zone !== undefined) setTimeZone(zone);
  }, [zone]);
}

/** Where those begin their day who come for one thing. */
const BEGINNINGS: Readonly<Partial<Record<string, string>>> = { CASHIER: 'caixa', BAKER: 'producao' };

function Places({ allowed }: { readonly allowed: readonly Screen[] }) {
  const { role } = useMe();
  const beginning = BEGINNINGS[role ?? ''];
  const first = allowed.find(({ path }) => path === beginning) ?? allowed[0];
  return (
    <Switch>
      <Route path="/">
        <Redirect to={`/${first?.path ?? 'hoje'}`} replace />
      </Route>
      {screens.map((screen) => (
        <Route key={screen.path} path={screen.isOnePage ? `/${screen.path}` : `/${screen.path}/*?`}>
          <Allowed when={allowed.includes(screen)}>
            <Place screen={screen} />
          </Allowed>
        </Route>
      ))}
      <Route>
        <Nowhere reason="notFound" />
      </Route>
    </Switch>
  );
}

function Place({ screen }: { readonly screen: Screen }) {
  const loaded = useLoaded(screen);
  const [place] = useLocation();
  const search = useSearch();
  useReturning(place, search);
  const [failure, forget] = useErrorBoundary((error) => {
    reportError(error);
  }) as [unknown, () => void];
  // What could not be drawn may be elsewhere.
  useEffect(forget, [place, search]);
  const { component: Found, error, again } = loaded;
  if (failure !== undefined) return <Nowhere reason="unexpected" />;
  if (Found) {
    return (
      <BeforePage.Provider value={{ href: `/${screen.path}`, label: say(screen.name) }}>
        <Found />
      </BeforePage.Provider>
    );
  }
  if (!error) return <Loading />;
  if (!(error instanceof Refused)) return <Nowhere reason="unexpected" />;
  return (
    <Page title={say(screen.name)}>
      <Shown reading={{ data: undefined, error, refetch: again }}>{() => null}</Shown>
    </Page>
  );
}
