import { health } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { Facts, Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { moment } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Trouble } from './troubles.js';
import { troublesOf } from './troubles.js';
import { words } from './words.js';

interface Backup {
  readonly ok: boolean;
  readonly at: string | null;
  readonly ageSeconds: number | null;
  readonly failure?: string;
}

const HOUR = 3600;
const EVERY = 60_000;

/** How old the newest backup is, and whether the service is well. */
export function Backups() {
  const t = useWords(words);
  const reading = useRead({ key: ['health'], kinds: [], read: health, every: EVERY });
  return (
    <Shown reading={reading}>
      {({ status, backup, ...rest }) => (
        <>
          <Section title={t('backupAge')}>
            {backup ? <OneBackup backup={backup as Backup} /> : <p class="note">{t('backupOff')}</p>}
          </Section>
          <Section title={t('health')}>
            <Status tone={status === 'ok' ? 'good' : 'bad'}>
              {status === 'ok' ? t('healthGood') : t('healthBad')}
            </Status>
            <Troubles troubles={troublesOf({ backup, ...rest })} />
          </Section>
        </>
      )}
    </Shown>
  );
}

function Troubles({ troubles }: { readonly troubles: readonly Trouble[] }) {
  const t = useWords(words);
  if (troubles.length === 0) return null;
  return (
    <ul>
      {troubles.map(({ name, n, names }) => (
        <li key={name}>{t(name, { n, names })}</li>
      ))}
    </ul>
  );
}

function OneBackup({ backup: { ok, at, ageSeconds, failure } }: { readonly backup: Backup }) {
  const t = useWords(words);
  const age = (seconds: number) =>
    seconds < HOUR
      ? t('backupMinutes', { n: Math.floor(seconds / 60) })
      : t('backupHours', { n: Math.floor(seconds / HOUR) });
  return (
    <div class="stack">
      <Facts
        facts={[
          [t('backupAge'), at === null || ageSeconds === null ? t('backupNone') : `${moment(at)} (${age(ageSeconds)})`],
          [
            t('state'),
            <Status key="state" tone={ok ? 'good' : 'bad'}>
              {ok ? t('backupGood') : t('backupLate')}
            </Status>,
          ],
        ]}
      />
      {failure !== undefined && <p class="note bad">{t('backupFailure', { why: failure })}</p>}
    </div>
  );
}
