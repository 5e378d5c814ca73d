import type { components } from 'openapi-client';
import { api, body, saveFile } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { Button } from '../../parts/button.js';
import { Facts, Page, Section } from '../../parts/page.js';
import { PrintButton } from '../../parts/print-button.js';
import { Shown } from '../../parts/shown.js';
import { isoDay, moment, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { AuditTabs } from './audit-tabs.js';
import { words } from './words.js';

type Verification = components['schemas']['LogVerification'];
type Checkpoint = components['schemas']['Checkpoint'];

const OFTEN = 5_000;

/** Whether anything was changed from outside, answered while one looks, and what to keep elsewhere. */
export function Wholeness() {
  const t = useWords(words);
  const verification = useRead({
    key: ['audit', 'verification'],
    kinds: [],
    every: OFTEN,
    read: (signal) => body(api.GET('/audit/verification', { signal })),
  });
  const checkpoint = useRead({
    key: ['audit', 'checkpoint'],
    kinds: [],
    read: (signal) => body(api.GET('/audit/checkpoint', { signal })),
  });
  return (
    <Page title={t('title')}>
      <AuditTabs current="whole" />
      <Section title={t('whole')}>
        <Shown reading={verification}>{(found) => <Answer verification={found} />}</Shown>
        <p class="fine">{t('howChecked')}</p>
      </Section>
      <Section title={t('checkpoint')}>
        <Shown reading={checkpoint}>{(kept) => <Kept checkpoint={kept} />}</Shown>
      </Section>
    </Page>
  );
}

/** What a check of the history may find; anything else is told as it came. */
const BREAKS = {
  'an event is missing before it': 'breakMissing',
  'it is not what was recorded': 'breakChanged',
  'the tree of the proofs is not that of the events': 'breakTree',
} as const;

function Answer({ verification: { ok, size, verifiedSize, at, firstBreak } }: { readonly verification: Verification }) {
  const t = useWords(words);
  const found = (reason: string) => (reason in BREAKS ? t(BREAKS[reason as keyof typeof BREAKS]) : reason);
  if (!ok || firstBreak) {
    return (
      <div class="note bad" role="alert">
        <p>
          <strong>{t('broken')}</strong>
        </p>
        {firstBreak && (
          <>
            <p>{t('reason', { reason: found(firstBreak.reason) })}</p>
            <p>{t('brokenAt', { position: firstBreak.position, stream: firstBreak.stream ?? '–' })}</p>
          </>
        )}
      </div>
    );
  }
  if (verifiedSize < size) {
    return (
      <div class="note stack" role="status">
        <p>{t('verifying', { done: whole(verifiedSize), size: whole(size) })}</p>
        <progress max={size} value={verifiedSize} aria-label={t('whole')} />
      </div>
    );
  }
  return (
    <p class="note good" role="status">
      <strong>{t('verified', { size: whole(size), at: moment(at) })}</strong>
    </p>
  );
}

function saveAsFile(checkpoint: Checkpoint): void {
  const blob = new Blob([`${JSON.stringify(checkpoint, null, 2)}\n`], { type: 'application/json' });
  saveFile({ blob, name: `checkpoint-${isoDay(0, Date.parse(checkpoint.at))}.json` });
}

function Kept({ checkpoint }: { readonly checkpoint: Checkpoint }) {
  const t = useWords(words);
  return (
    <div class="checks">
      <p>{t('checkpointLead')}</p>
      <Facts
        facts={[
          [t('size'), whole(checkpoint.size)],
          [t('taken'), moment(checkpoint.at)],
        ]}
      />
      <dl class="fingerprints">
        <dt>{t('root')}</dt>
        <dd>
          <code>{checkpoint.rootHash}</code>
        </dd>
        <dt>{t('signature')}</dt>
        <dd>
          <code>{checkpoint.signature}</code>
        </dd>
        <dt>{t('log')}</dt>
        <dd>
          <code>{checkpoint.logId}</code>
        </dd>
      </dl>
      <div class="row no-print">
        <Button
          look="main"
          icon="save"
          onClick={() => {
            saveAsFile(checkpoint);
          }}
        >
          {t('saveCheckpoint')}
        </Button>
        <PrintButton />
      </div>
    </div>
  );
}
