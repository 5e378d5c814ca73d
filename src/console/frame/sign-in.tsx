import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { api, body } from '../client/api.js';
import { queries, useCommand } from '../client/queries.js';
import type { Me } from '../client/session.js';
import { setSession } from '../client/session.js';
import { TextField } from '../parts/fields.js';
import { Form, useForm } from '../parts/form.js';
import { Button } from '../parts/button.js';
import { useWords } from '../words/words.js';
import { BackupCodes, Enrollment } from './enrollment.js';
import { signInWords } from './sign-in-words.js';

type Step =
  | { readonly kind: 'password' }
  | { readonly kind: 'code' | 'backup'; readonly pendingToken: string }
  | { readonly kind: 'enroll'; readonly enrollmentToken: string }
  | { readonly kind: 'codes'; readonly me: Me; readonly codes: readonly string[] };

/** What each step is called: those that a store makes compulsory lead on to a third. */
const TITLES = {
  password: 'title',
  code: 'codeTitle',
  backup: 'backupTitle',
  enroll: 'enrollTitle',
  codes: 'codesTitle',
} as const satisfies Record<Step['kind'], keyof typeof signInWords>;

/**
 * User name and password, then the second factor where there is one. `children` frames each step with its title, which the
 * first may do without: its button says the same.
 */
export function SignIn({
  person,
  children,
}: {
  readonly person?: Me;
  readonly children: (title: string, step: ComponentChildren, isFirst: boolean) => ComponentChildren;
}) {
  const t = useWords(signInWords);
  const [step, setStep] = useState<Step>({ kind: 'password' });
  const username = person?.username ?? '';
  const storeSlug = person?.storeSlug;
  const signedIn = (me: Me) => {
    // What waits is the work of that person: nobody else may come to have done it.
    if (person && person.id !== me.id) {
      location.reload();
      return;
    }
    if (!person) queries.clear();
    setSession({ kind: 'signed-in', me });
  };
  const form = <StepForm {...{ step, username, storeSlug, signedIn }} onStep={setStep} />;
  return <>{children(t(TITLES[step.kind]), form, step.kind === 'password')}</>;
}

interface Stepping {
  readonly signedIn: (me: Me) => void;
  readonly onStep: (step: Step) => void;
}

/** Who signs in again, and in which store: the one that they were in. */
interface Again {
  readonly username: string;
  readonly storeSlug: string | undefined;
}

function StepForm({ step, username, storeSlug, signedIn, onStep }: Stepping & Again & { readonly step: Step }) {
  const toPassword = () => {
    onStep({ kind: 'password' });
  };
  if (step.kind === 'password') return <Password {...{ username, storeSlug, signedIn, onStep }} />;
  if (step.kind === 'enroll') {
    return (
      <Enrollment
        enrollmentToken={step.enrollmentToken}
        onCancel={toPassword}
        onDone={(me, codes) => {
          onStep({ kind: 'codes', me, codes });
        }}
      />
    );
  }
  if (step.kind === 'codes') {
    return (
      <BackupCodes
        codes={step.codes}
        onDone={() => {
          signedIn(step.me);
        }}
      />
    );
  }
  return <SecondFactor key={step.kind} {...{ step, signedIn, onStep }} onCancel={toPassword} />;
}

function Password({ username, storeSlug, signedIn, onStep }: Stepping & Again) {
  const t = useWords(signInWords);
  const form = useForm({ username, password: '' });
  const login = useCommand({
    send: (input: { username: string; password: string }) =>
      body(api.POST('/auth/login', { body: input, headers: storeSlug ? { 'X-Store-Slug': storeSlug } : {} })),
    kinds: [],
    onDone(answer) {
      if ('user' in answer) signedIn(answer.user);
      else if ('pendingToken' in answer) onStep({ kind: 'code', pendingToken: answer.pendingToken });
      else onStep({ kind: 'enroll', enrollmentToken: answer.enrollmentToken });
    },
  });
  return (
    <Form
      sending={login}
      submit={t('signIn')}
      onSubmit={() => {
        login.mutate(form.values);
      }}
      extra={username === '' && <Link href="/forgot-password">{t('forgot')}</Link>}
    >
      <TextField
        label={t('username')}
        required
        readOnly={username !== ''}
        autocomplete="username"
        autofocus={username === ''}
        spellcheck={false}
        {...form.field('username')}
      />
      <TextField
        label={t('password')}
        required
        type="password"
        autocomplete="current-password"
        autofocus={username !== ''}
        {...form.field('password')}
      />
    </Form>
  );
}

function SecondFactor({
  step,
  signedIn,
  onStep,
  onCancel,
}: Stepping & {
  readonly step: Extract<Step, { kind: 'code' | 'backup' }>;
  readonly onCancel: () => void;
}) {
  const t = useWords(signInWords);
  const [code, setCode] = useState('');
  const { pendingToken } = step;
  const verify = useCommand({
    send: (typed: string) =>
      step.kind === 'code'
        ? body(api.POST('/auth/2fa/verify', { body: { pendingToken, code: typed.replace(/\s/g, '') } }))
        : body(api.POST('/auth/2fa/recover', { body: { pendingToken, backupCode: typed.trim() } })),
    kinds: [],
    onDone({ user }) {
      signedIn(user);
    },
  });
  const other = step.kind === 'code' ? 'backup' : 'code';
  return (
    <Form
      sending={verify}
      submit={t('verify')}
      cancel={onCancel}
      onSubmit={() => {
        verify.mutate(code);
      }}
    >
      <p>{step.kind === 'code' ? t('codeLead') : t('backupLead')}</p>
      <TextField
        label={step.kind === 'code' ? t('code') : t('backupCode')}
        required
        autofocus
        autocomplete="one-time-code"
        inputMode={step.kind === 'code' ? 'numeric' : 'text'}
        value={code}
        onValue={setCode}
      />
      <Button
        look="quiet"
        onClick={() => {
          onStep({ kind: other, pendingToken });
        }}
      >
        {step.kind === 'code' ? t('useBackup') : t('useCode')}
      </Button>
    </Form>
  );
}
