import { useState } from 'preact/hooks';
import { api, body } from '../client/api.js';
import { useCommand, useRead } from '../client/queries.js';
import type { Me } from '../client/session.js';
import { Button } from '../parts/button.js';
import { TextField } from '../parts/fields.js';
import { Form } from '../parts/form.js';
import { useLeaveWarning } from '../parts/leaving.js';
import { PrintButton } from '../parts/print-button.js';
import { Shown } from '../parts/shown.js';
import { useWords } from '../words/words.js';
import { signInWords } from './sign-in-words.js';

/** Sets up the authenticator app: the picture to scan, then its first code. */
export function Enrollment({
  enrollmentToken,
  lead,
  onDone,
  onCancel,
}: {
  readonly enrollmentToken: string;
  /** Why it is asked for; without it the store does. */
  readonly lead?: string;
  readonly onDone: (me: Me, backupCodes: readonly string[]) => void;
  readonly onCancel: () => void;
}) {
  const t = useWords(signInWords);
  const [code, setCode] = useState('');
  const setup = useRead({
    key: ['enrollment', enrollmentToken],
    kinds: [],
    read: () => body(api.POST('/auth/2fa/enroll/setup', { body: { enrollmentToken } })),
  });
  const confirm = useCommand({
    send: (typed: string) => body(api.POST('/auth/2fa/enroll/confirm', { body: { enrollmentToken, code: typed } })),
    kinds: [],
    onDone({ user, backupCodes }) {
      onDone(user, backupCodes);
    },
  });
  return (
    <Shown reading={setup}>
      {({ qrCode, secret }) => (
        <Form
          sending={confirm}
          submit={t('confirm')}
          cancel={onCancel}
          onSubmit={() => {
            confirm.mutate(code.replace(/\s/g, ''));
          }}
        >
          <p>{lead ?? t('enrollLead')}</p>
          <img class="qr" src={qrCode} alt={t('qrCode')} width={200} height={200} />
          <p class="hint">
            {t('enrollSecret')} <code>{secret}</code>
          </p>
          <TextField
            label={t('code')}
            required
            inputMode="numeric"
            autocomplete="one-time-code"
            value={code}
            onValue={setCode}
          />
        </Form>
      )}
    </Shown>
  );
}

export function BackupCodes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const t = useWords(signInWords);
  useLeaveWarning('shownOnce');
  return (
    <div class="stack">
      <p>{t('codesLead')}</p>
      <ul class="codes">
        {codes.map((one) => (
          <li key={one}>
            <code>{one}</code>
          </li>
        ))}
      </ul>
      <div class="form-foot">
        <Button look="main" onClick={onDone}>
          {t('codesKept')}
        </Button>
        <PrintButton autofocus />
      </div>
    </div>
  );
}
