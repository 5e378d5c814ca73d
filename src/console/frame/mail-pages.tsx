import type { ComponentChildren, FunctionComponent } from 'preact';
import { useSyncExternalStore } from 'preact/compat';
import { useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { api, body } from '../client/api.js';
import { isRefused, isUnsettled, useCommand, useRead } from '../client/queries.js';
import type { Me } from '../client/session.js';
import { wasSignedIn } from '../client/session.js';
import { useStores, useSwitchStore } from '../client/stores.js';
import { Button } from '../parts/button.js';
import { TextField } from '../parts/fields.js';
import { Form } from '../parts/form.js';
import { ProblemNote } from '../parts/problem-note.js';
import { Loading } from '../parts/shown.js';
import type { Text } from '../words/words.js';
import { say, useWords } from '../words/words.js';
import { Doorway } from './doorway.js';
import { useLostFocus } from './lost-focus.js';
import { signInWords } from './sign-in-words.js';
import { useSignOut } from './sign-out.js';

/** Pages that mails lead to. The token stands behind the #, which no server gets to see; it may be typed as well. */

const givenToken = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

function followLinks(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => {
    removeEventListener('hashchange', listener);
  };
}

/** The link of another mail that is opened in the same tab loads no page anew, and begins one all the same. */
export function MailPage({ title, page: Shown }: { readonly title: Text; readonly page: FunctionComponent }) {
  const token = useSyncExternalStore(followLinks, givenToken);
  useLostFocus();
  return (
    <Doorway key={token} title={say(title)}>
      <Shown />
    </Doorway>
  );
}

const useToken = (): readonly [string, (token: string) => void] => useState(givenToken);

interface Joined {
  readonly storeSlug: string;
  readonly storeName: string;
}

function Done({ children, joined }: { readonly children: ComponentChildren; readonly joined?: Joined }) {
  return (
    <div class="stack">
      <p role="status">{children}</p>
      <WayOn joined={joined} />
    </div>
  );
}

/** To the sign-in; where somebody is signed in, whoever the mail went to is not led into that person's work unasked. */
function WayOn({ joined }: { readonly joined: Joined | undefined }) {
  const t = useWords(signInWords);
  const reading = useRead({
    key: ['signed-in-here'],
    kinds: [],
    when: wasSignedIn(),
    read: (signal) => body(api.GET('/auth/me', { signal })),
  });
  if (reading.data) return <SignedInHere me={reading.data} joined={joined} />;
  if (reading.isLoading) return <Loading />;
  return (
    <Link href="/" class="button main">
      {t('toSignIn')}
    </Link>
  );
}

function SignedInHere({ me: { name, storeSlug }, joined }: { readonly me: Me; readonly joined: Joined | undefined }) {
  const t = useWords(signInWords);
  const isElsewhere = joined !== undefined && joined.storeSlug !== storeSlug;
  const stores = useStores(isElsewhere);
  // Where who is signed in here is the one who joined the store: otherwise they go on in the one in which they were.
  const isTheirs = isElsewhere && stores.data?.some(({ slug }) => slug === joined.storeSlug) === true;
  const [, go] = useLocation();
  const signOut = useSignOut(() => {
    go('/');
  });
  if (stores.isLoading) return <Loading />;
  return (
    <>
      <p>{t('signedInHere', { name })}</p>
      <ProblemNote error={signOut.error} />
      {isTheirs && <IntoStore {...joined} />}
      <div class="form-foot">
        <Link href="/" class={`button ${isTheirs ? '' : 'main'}`}>
          {t('goOnAs', { name })}
        </Link>
        <Button
          busy={signOut.isPending}
          onClick={() => {
            signOut.mutate();
          }}
        >
          {t('signInAsOther')}
        </Button>
      </div>
    </>
  );
}

function IntoStore({ storeSlug, storeName }: Joined) {
  const t = useWords(signInWords);
  const [, go] = useLocation();
  const switchStore = useSwitchStore(() => {
    go('/');
  });
  return (
    <>
      <ProblemNote error={switchStore.error} />
      <Button
        look="main"
        busy={switchStore.isPending}
        onClick={() => {
          switchStore.mutate(storeSlug);
        }}
      >
        {t('openStore', { store: storeName })}
      </Button>
    </>
  );
}

function TokenField({ token, onToken }: { readonly token: string; readonly onToken: (token: string) => void }) {
  const t = useWords(signInWords);
  const [wasGiven] = useState(token !== '');
  if (wasGiven) return null;
  return <TextField label={t('token')} required value={token} onValue={onToken} spellcheck={false} />;
}

/** A link that counts once is refused as used where a try before did count, and its answer was lost. */
function UsedInDoubt({ error, children }: { readonly error: Error | null; readonly children: ComponentChildren }) {
  const t = useWords(signInWords);
  const inDoubt = useRef(false);
  if (isUnsettled(error) && !isRefused(error, 'RATE_LIMITED')) inDoubt.current = true;
  if (!inDoubt.current || !isRefused(error, 'TOKEN_INVALID')) return null;
  return (
    <p class="note warn" role="status">
      {t('sentBefore')} {children}
    </p>
  );
}

export function ForgotPassword() {
  const t = useWords(signInWords);
  const [email, setEmail] = useState('');
  const ask = useCommand({
    send: (address: string) => body(api.POST('/auth/forgot-password', { body: { email: address } })),
    kinds: [],
  });
  if (ask.isSuccess) return <Done>{t('linkSent')}</Done>;
  return (
    <Form
      sending={ask}
      submit={t('sendLink')}
      onSubmit={() => {
        ask.mutate(email);
      }}
      extra={<Link href="/">{t('toSignIn')}</Link>}
    >
      <p>{t('forgotLead')}</p>
      <TextField
        label={t('email')}
        required
        type="email"
        autocomplete="email"
        value={email}
        onValue={setEmail}
        path="email"
      />
    </Form>
  );
}

export function ResetPassword() {
  const t = useWords(signInWords);
  const [token, setToken] = useToken();
  const [password, setPassword] = useState('');
  const reset = useCommand({
    send: (input: { token: string; password: string }) => body(api.POST('/auth/reset-password', { body: input })),
    kinds: [],
  });
  if (reset.isSuccess) return <Done>{t('resetDone')}</Done>;
  return (
    <Form
      sending={reset}
      submit={t('setPassword')}
      onSubmit={() => {
        reset.mutate({ token, password });
      }}
      extra={<Link href="/forgot-password">{t('anotherLink')}</Link>}
    >
      <TokenField token={token} onToken={setToken} />
      <NewPassword {...{ password, setPassword }} required />
      <UsedInDoubt error={reset.error}>
        {t('triedPassword')} <Link href="/">{t('toSignIn')}</Link>
      </UsedInDoubt>
    </Form>
  );
}

function NewPassword({
  password,
  setPassword,
  required,
  hint,
}: {
  readonly password: string;
  readonly setPassword: (password: string) => void;
  readonly required: boolean;
  readonly hint?: string;
}) {
  const t = useWords(signInWords);
  return (
    <TextField
      label={t('newPassword')}
      {...{ required }}
      hint={[hint, t('passwordHint')].filter(Boolean).join(' ')}
      type="password"
      autocomplete="new-password"
      minLength={10}
      path="password"
      value={password}
      onValue={setPassword}
    />
  );
}

export function ConfirmEmail() {
  const t = useWords(signInWords);
  const [token, setToken] = useToken();
  const confirm = useCommand({
    send: (given: string) => body(api.POST('/auth/email-verifications/confirm', { body: { token: given } })),
    kinds: [],
  });
  if (confirm.isSuccess) return <Done>{t('confirmDone')}</Done>;
  return (
    <Form
      sending={confirm}
      submit={t('confirm')}
      onSubmit={() => {
        confirm.mutate(token);
      }}
      extra={<Link href="/configuracoes/conta">{t('anotherProof')}</Link>}
    >
      <p>{t('confirmLead')}</p>
      <TokenField token={token} onToken={setToken} />
      <UsedInDoubt error={confirm.error}>{t('triedConfirm')}</UsedInDoubt>
    </Form>
  );
}

export function AcceptInvitation() {
  const t = useWords(signInWords);
  const [token, setToken] = useToken();
  const [password, setPassword] = useState('');
  const accept = useCommand({
    send: (input: { token: string; password?: string }) => body(api.POST('/users/invitations/accept', { body: input })),
    kinds: [],
  });
  if (accept.isSuccess) return <Done joined={accept.data}>{t('inviteDone', { store: accept.data.storeName })}</Done>;
  return (
    <Form
      sending={accept}
      submit={t('accept')}
      onSubmit={() => {
        accept.mutate(password === '' ? { token } : { token, password });
      }}
      extra={<Link href="/">{t('toSignIn')}</Link>}
    >
      <p>{t('inviteLead')}</p>
      <TokenField token={token} onToken={setToken} />
      <NewPassword {...{ password, setPassword }} required={false} hint={t('invitePassword')} />
      <UsedInDoubt error={accept.error}>{t('triedInvitation')}</UsedInDoubt>
    </Form>
  );
}
