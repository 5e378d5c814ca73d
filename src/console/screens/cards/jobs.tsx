import type { components } from 'openapi-client';
import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import type { Tone } from '../../parts/status.js';
import { Status } from '../../parts/status.js';
import { rowsOf, Table } from '../../parts/table.js';
import { money, monthName, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { KINDS } from './configuration.js';
import { words } from './words.js';

type Job = components['schemas']['CardFeeJob'];

const TONES: Readonly<Record<Job['status'], Tone>> = {
  QUEUED: 'active',
  RUNNING: 'active',
  DONE: 'good',
  FAILED: 'bad',
  CANCELLED: 'calm',
};

const OFTEN = 3_000;

/** Recalculations, how far they are, and what they changed. */
export function Jobs() {
  const t = useWords(words);
  const may = useMay();
  const jobs = useRead({
    key: ['card-fees', 'jobs'],
    kinds: KINDS,
    every: OFTEN,
    read: async (signal) =>
      (await body(api.GET('/card-fees/calc-jobs', { params: { query: { limit: 20 } }, signal }))).items,
  });
  const [stopped, setStopped] = useState<string>();
  return (
    <Section title={t('jobs')}>
      <Shown reading={jobs}>
        {(items) => (
          <Table
            label={t('jobs')}
            rows={rowsOf(items)}
            rowKey={({ id }) => id}
            empty={t('noJobs')}
            columns={[
              { id: 'month', title: t('month'), cell: ({ month }) => monthName(month) },
              {
                id: 'status',
                title: t('status'),
                cell: ({ status }) => <Status tone={TONES[status]}>{t(status)}</Status>,
              },
              { id: 'progress', title: t('progress'), wide: true, cell: (job) => <Progress job={job} /> },
              { id: 'before', title: t('before'), figure: true, wide: true, cell: ({ feeBefore }) => money(feeBefore) },
              { id: 'after', title: t('after'), figure: true, cell: ({ feeAfter }) => money(feeAfter) },
              {
                id: 'stop',
                title: '',
                cell: ({ id, month, status }) =>
                  may('cardFees.manage') &&
                  (status === 'QUEUED' || status === 'RUNNING') && (
                    <Button
                      aria-label={`${t('stop')}: ${monthName(month)}`}
                      onClick={() => {
                        setStopped(id);
                      }}
                    >
                      {t('stop')}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Shown>
      {stopped !== undefined && (
        <StopDialog
          jobId={stopped}
          onClose={() => {
            setStopped(undefined);
          }}
        />
      )}
    </Section>
  );
}

function StopDialog({ jobId, onClose }: { readonly jobId: string; readonly onClose: () => void }) {
  const t = useWords(words);
  const path = { jobId };
  return (
    <DestructiveDialog
      title={t('stopJob')}
      subject={['job', jobId]}
      kinds={KINDS}
      send={(sent) => api.DELETE('/card-fees/calc-jobs/{jobId}', { params: { path }, ...sent })}
      onClose={onClose}
    >
      {(answer) => {
        const { month, progress } = answer as Job;
        return (
          <>
            <p>{t('stopLead', { month: monthName(month) })}</p>
            <p>{t('stopKeeps', { n: progress.updated, updated: whole(progress.updated) })}</p>
          </>
        );
      }}
    </DestructiveDialog>
  );
}

function Progress({ job: { progress, status } }: { readonly job: Job }) {
  const t = useWords(words);
  const { matched, updated, skipped, failed } = progress;
  const done = updated + skipped + failed;
  if (status === 'RUNNING') return <progress max={Math.max(matched, 1)} value={done} aria-label={t('progress')} />;
  return <>{t('progressDone', { n: updated, updated: whole(updated), matched: whole(matched) })}</>;
}
