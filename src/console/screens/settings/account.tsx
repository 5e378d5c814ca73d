import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useLookingAgain } from '../../client/looking-again.js';
import { isRefused, isUnsettled, useCommand } from '../../client/queries.js';
import type { Me } from '../../client/session.js';
import { doubtPassword, setSession, useMe } from '../../client/session.js';
import { Refused } from '../../client/problem.js';
import { BackupCodes, Enrollment } from '../../frame/enrollment.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/fields.js';
import type { FormState } from '../../parts/form.js';
import { Form, useForm } from '../../parts/form.js';
import { Section } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { usePartForm, useSaving } from '../../parts/record-form.js';
import { Status } from '../../parts/status.js';
import { useWords } from '../../words/words.js';
import { Sessions } from './sessions.js';
import { words } from './words.js';

export function Account() {
  useLookingAgain();
  return (
    <>
      <Profile />
      <SecondFactor />
      <Sessions />
    </>
  );
}

function Profile() {
  const t = useWords(words);
  const me = useMe();
  const initial = { name: me.name, username: me.username, email: me.email ?? '', password: '', currentPassword: '' };
  const form = usePartForm(initial, (field) => t(field === 'password' ? 'newPassword' : field));
  const save = useCommand({
    send: (wanted: typeof initial, headers) => {
      const changed = (name: 'name' | 'username' | 'email') =>
        wanted[name].trim() === form.before[name] ? {} : { [name]: wanted[name].trim() };
      const secret = (name: 'password' | 'currentPassword') => (wanted[name] === '' ? {} : { [name]: wanted[name] });
      return body(
        api.PATCH('/auth/me', {
          body: {
            ...changed('name'),
            ...changed('username'),
            ...changed('email'),
            ...secret('password'),
            ...secret('currentPassword'),
          },
          headers,
        }),
      ).catch((error: unknown) => {
        if (wanted.password !== '' && isUnsettled(error)) doubtPassword();
        throw error;
      });
    },
    kinds: ['user'],
    onDone(changed, sent) {
      setSession({ kind: 'signed-in', me: changed });
      form.saved({ ...sent, password: '', currentPassword: '' });
      form.change({ password: '', currentPassword: '' });
    },
  });
  const prove = useCommand({
    send: (_: null, headers) => body(api.POST('/auth/email-verifications', { headers })),
    kinds: [],
  });
  const set = (name: keyof typeof initial) => (value: string) => {
    form.set(name, value);
  };
  return (
    <Section title={t('profile')}>
      <Form
        sending={save}
        {...useSaving(form, save)}
        form={form}
        conflict={form.conflict}
        onSubmit={() => {
          save.mutate(form.values);
        }}
        extra={
          <Button
            look="quiet"
            busy={prove.isPending}
            onClick={() => {
              prove.mutate(null);
            }}
          >
            {prove.isSuccess ? t('proveSent') : t('proveEmail')}
          </Button>
        }
      >
        <div class="fields">
          <TextField label={t('name')} required maxLength={120} {...form.field('name')} />
          <TextField
            label={t('username')}
            path="username"
            required
            autocomplete="username"
            hint={t('usernameHint')}
            value={form.values.username}
            onValue={set('username')}
          />
          <TextField
            label={t('email')}
            path="email"
            required
            type="email"
            value={form.values.email}
            onValue={set('email')}
          />
        </div>
        <div class="fields">
          <TextField
            label={t('newPassword')}
            type="password"
            autocomplete="new-password"
            minLength={10}
            hint={t('passwordHint')}
            {...form.field('password')}
          />
          <TextField
            label={t('currentPassword')}
            path="currentPassword"
            type="password"
            autocomplete="current-password"
            hint={t('currentPasswordHint')}
            value={form.values.currentPassword}
            onValue={set('currentPassword')}
          />
        </div>
        {prove.error && <ProblemNote error={prove.error} />}
      </Form>
    </Section>
  );
}

function SecondFactor() {
  const t = useWords(words);
  const me = useMe();
  const [token, setToken] = useState<string>();
  const [codes, setCodes] = useState<{ readonly me: Me; readonly codes: readonly string[] }>();
  const [isTurningOff, setTurningOff] = useState(false);
  const begin = useCommand({
    send: (_: null, headers) => body(api.POST('/auth/2fa/enrollment', { headers })),
    kinds: [],
    onDone: ({ enrollmentToken }) => {
      setToken(enrollmentToken);
    },
  });
  const needsPassword = begin.error instanceof Refused && begin.error.problem.code === 'PASSWORD_NEEDED';
  const finish = () => {
    if (codes) setSession({ kind: 'signed-in', me: codes.me });
    setCodes(undefined);
    setToken(undefined);
  };
  const close = () => {
    setToken(undefined);
  };
  return (
    <Section title={t('factor')}>
      <div class="stack">
        <Status tone={me.twoFactorEnabled ? 'good' : 'warn'}>
          {me.twoFactorEnabled ? t('factorOn') : t('factorOff')}
        </Status>
        <p>{t('factorLead')}</p>
        {me.twoFactorEnabled ? (
          <Button
            onClick={() => {
              setTurningOff(true);
            }}
          >
            {t('factorTurnOff')}
          </Button>
        ) : (
          <Button
            look="main"
            busy={begin.isPending}
            onClick={() => {
              begin.mutate(null);
            }}
          >
            {t('factorTurnOn')}
          </Button>
        )}
        {!needsPassword && <ProblemNote error={begin.error} />}
      </div>
      {needsPassword && (
        <TurnOn
          onClose={() => {
            begin.reset();
          }}
          onBegun={(enrollmentToken) => {
            begin.reset();
            setToken(enrollmentToken);
          }}
        />
      )}
      {/* Whoever closed it while the code was on its way gets the codes all the same: they are shown this once. */}
      {(token !== undefined || codes) && (
        <Dialog title={t('factorTurnOn')} onClose={codes ? undefined : close}>
          {codes ? (
            <BackupCodes codes={codes.codes} onDone={finish} />
          ) : (
            <Enrollment
              enrollmentToken={token ?? ''}
              lead={t('factorScan')}
              onDone={(known, backupCodes) => {
                setCodes({ me: known, codes: backupCodes });
              }}
              onCancel={close}
            />
          )}
        </Dialog>
      )}
      {isTurningOff && (
        <TurnOff
          onClose={() => {
            setTurningOff(false);
          }}
        />
      )}
    </Section>
  );
}

/** What is done to the second factor by who knows the password. */
function PasswordDialog({
  title,
  sending,
  password,
  onClose,
  onSubmit,
  children,
}: Pick<Parameters<typeof Form>[0], 'sending' | 'onSubmit'> & {
  readonly title: string;
  readonly password: ReturnType<FormState<{ password: string }>['field']>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}) {
  const t = useWords(words);
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...{ sending, onSubmit }} submit={title} cancel={onClose}>
        <TextField
          label={t('currentPassword')}
          required
          type="password"
          autocomplete="current-password"
          {...password}
        />
        {children}
      </Form>
    </Dialog>
  );
}

/** The service asks for the password once the sign-in was a while ago. */
function TurnOn({
  onBegun,
  onClose,
}: {
  readonly onBegun: (enrollmentToken: string) => void;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const form = useForm({ password: '' });
  const begin = useCommand({
    send: (input: typeof form.values, headers) => body(api.POST('/auth/2fa/enrollment', { body: input, headers })),
    kinds: [],
    onDone: ({ enrollmentToken }) => {
      onBegun(enrollmentToken);
    },
  });
  return (
    <PasswordDialog
      title={t('factorTurnOn')}
      sending={begin}
      password={form.field('password')}
      onClose={onClose}
      onSubmit={() => {
        begin.mutate(form.values);
      }}
    />
  );
}

/** Off already is what was wanted: a try before was not answered, or another device was quicker. */
function unlessOff(error: unknown): undefined {
  if (!isRefused(error, 'TWO_FACTOR_OFF')) throw error;
}

function TurnOff({ onClose }: { readonly onClose: () => void }) {
  const t = useWords(words);
  const me = useMe();
  const form = useForm({ password: '', code: '' });
  const turnOff = useCommand({
    send: (input: typeof form.values, headers) =>
      body(api.DELETE('/auth/2fa', { body: input, headers })).catch(unlessOff),
    kinds: [],
    onDone() {
      setSession({ kind: 'signed-in', me: { ...me, twoFactorEnabled: false } });
      onClose();
    },
  });
  return (
    <PasswordDialog
      title={t('factorTurnOff')}
      sending={turnOff}
      password={form.field('password')}
      onClose={onClose}
      onSubmit={() => {
        turnOff.mutate(form.values);
      }}
    >
      <TextField label={t('factorCode')} required autocomplete="one-time-code" {...form.field('code')} />
    </PasswordDialog>
  );
}
