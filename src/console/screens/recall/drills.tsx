import { useEffect, useState } from 'preact/hooks';
import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useCommand, useList, useRead } from '../../client/queries.js';
import { aheadOf } from '../../client/service-clock.js';
import { useActorName } from '../../parts/actor.js';
import { Button, LinkButton } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { CheckField, TextArea } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { useGoOn } from '../../parts/go-on.js';
import { wholeCode } from '../../parts/lot-code.js';
import { Facts, Page, Section, Typed } from '../../parts/page.js';
import { PrintButton } from '../../parts/print-button.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { rowsOfList, Table } from '../../parts/table.js';
import { moment, percent, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

type Drill = components['schemas']['RecallDrill'];
type StepName = Drill['steps'][number]['name'];

export function Drills() {
  const t = useWords(words);
  const actor = useActorName();
  const drills = useList<Drill>({
    key: ['drills'],
    kinds: ['recallDrill'],
    read: (at, signal) => body(api.GET('/recall-drills', { params: { query: at }, signal })),
  });
  return (
    <Section title={t('drills')}>
      <Table
        label={t('drills')}
        rows={rowsOfList(drills)}
        rowKey={({ id }) => id}
        href={({ id }) => `/recall/simulados/${id}`}
        empty={t('noDrills')}
        columns={[
          { id: 'date', title: t('date'), cell: ({ startedAt }) => moment(startedAt) },
          { id: 'lot', title: t('lot'), cell: (drill) => wholeCode(drill.lotCode) },
          { id: 'by', title: t('by'), wide: true, cell: ({ startedBy }) => actor(startedBy) },
          {
            id: 'time',
            title: t('time'),
            figure: true,
            cell: ({ minutes }) =>
              minutes === null ? (
                <Status tone="active">{t('open')}</Status>
              ) : (
                t('minutes', { count: whole(minutes), n: minutes })
              ),
          },
          {
            id: 'found',
            title: t('found'),
            figure: true,
            wide: true,
            cell: (drill) => percent(drill.shareFoundPercent),
          },
        ]}
      />
    </Section>
  );
}

export function StartDrill({ code }: { readonly code: string }) {
  const t = useWords(words);
  const goOn = useGoOn();
  const start = useCommand({
    send: (lotCode: string, headers) => body(api.POST('/recall-drills', { body: { lotCode }, headers })),
    kinds: ['recallDrill'],
    onDone: ({ id }) => {
      goOn(`/recall?lot=${encodeURIComponent(code)}&drill=${id}`);
    },
  });
  return (
    <>
      <Button
        busy={start.isPending}
        onClick={() => {
          start.mutate(code);
        }}
      >
        {t('startDrill')}
      </Button>
      <ProblemNote error={start.error} />
    </>
  );
}

const useDrill = (id: string) =>
  useRead({
    key: ['drill', id],
    kinds: ['recallDrill'],
    read: async (signal) => {
      const answer = api.GET('/recall-drills/{id}', { params: { path: { id } }, signal });
      return { record: await body(answer), ahead: aheadOf((await answer).response) };
    },
  });

/** What has passed since then by the clock of the service. */
function useClock(since: string, ahead: number): string {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const ticking = setInterval(() => {
      setNow(Date.now());
    }, 1000);
    return () => {
      clearInterval(ticking);
    };
  }, []);
  const seconds = Math.max(0, Math.floor((now - ahead - Date.parse(since)) / 1000));
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The clock runs while one works on the very page of the recall. */
export function RunningDrill({ id }: { readonly id: string }) {
  const drill = useDrill(id);
  return <Shown reading={drill}>{({ record, ahead }) => <DrillBar drill={record} ahead={ahead} />}</Shown>;
}

function DrillBar({ drill, ahead }: { readonly drill: Drill; readonly ahead: number }) {
  const t = useWords(words);
  const clock = useClock(drill.startedAt, ahead);
  const [isFinishing, setFinishing] = useState(false);
  const tick = useCommand({
    send: (name: StepName, headers) =>
      body(api.POST('/recall-drills/{id}/steps/{name}', { params: { path: { id: drill.id, name } }, headers })),
    kinds: ['recallDrill'],
  });
  if (drill.finishedAt !== null) {
    return (
      <p class="note good no-print">
        {t('finished')}: {t('minutes', { count: whole(drill.minutes), n: drill.minutes ?? 0 })},{' '}
        {t('share', { percent: percent(drill.shareFoundPercent) })}.{' '}
        <LinkButton href={`/recall/simulados/${drill.id}`}>
          {t('drillOf', { when: moment(drill.startedAt) })}
        </LinkButton>
      </p>
    );
  }
  return (
    <section class="drill no-print" aria-label={t('running')}>
      <span>{t('running')}</span>
      <span class="clock" role="timer">
        {clock}
      </span>
      {drill.steps.map(({ name, doneAt }) => (
        <CheckField
          key={name}
          label={t(name)}
          checked={doneAt !== null || (tick.isPending && tick.variables === name)}
          waiting={doneAt !== null || tick.isPending}
          onChecked={() => {
            tick.mutate(name);
          }}
        />
      ))}
      <Button
        look="main"
        onClick={() => {
          setFinishing(true);
        }}
      >
        {t('finish')}
      </Button>
      <ProblemNote error={tick.error} />
      {isFinishing && (
        <FinishDialog
          id={drill.id}
          onClose={() => {
            setFinishing(false);
          }}
        />
      )}
    </section>
  );
}

function FinishDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useWords(words);
  const goOn = useGoOn();
  const form = useForm({ notes: '' });
  const finish = useCommand({
    send: (notes: string, headers) =>
      body(
        api.POST('/recall-drills/{id}/finish', {
          params: { path: { id } },
          body: notes.trim() === '' ? {} : { notes: notes.trim() },
          headers,
        }),
      ),
    kinds: ['recallDrill'],
    onDone: () => {
      goOn(`/recall/simulados/${id}`);
    },
  });
  return (
    <Dialog title={t('finish')} onClose={onClose}>
      <Form
        sending={finish}
        submit={t('finish')}
        cancel={onClose}
        form={form}
        onSubmit={() => {
          finish.mutate(form.values.notes);
        }}
      >
        <TextArea label={t('notes')} {...form.field('notes')} />
      </Form>
    </Dialog>
  );
}

/** The record that a certifier is shown. */
export function DrillPage({ id }: { readonly id: string }) {
  const t = useWords(words);
  const actor = useActorName();
  const drill = useDrill(id);
  return (
    <Shown reading={drill}>
      {({ record }) => (
        <Page
          title={t('drillOf', { when: moment(record.startedAt) })}
          back={{ href: '/recall', label: t('title') }}
          actions={
            <>
              <PrintButton />
              <LinkButton
                href={`/recall?lot=${encodeURIComponent(record.lotCode)}${record.finishedAt === null ? `&drill=${id}` : ''}`}
              >
                {t('backToRecall')}
              </LinkButton>
            </>
          }
        >
          <Facts
            facts={[
              [t('lot'), record.lotCode],
              [t('by'), actor(record.startedBy)],
              [
                t('time'),
                record.minutes === null ? t('open') : t('minutes', { count: whole(record.minutes), n: record.minutes }),
              ],
              [t('found'), percent(record.shareFoundPercent, 2)],
            ]}
          />
          <Section title={t('steps')}>
            <ul class="agenda">
              {record.steps.map(({ name, doneAt }) => (
                <li key={name}>
                  <span>{t(name)}</span>
                  <Status tone={doneAt === null ? 'calm' : 'good'}>
                    {doneAt === null ? t('open') : moment(doneAt)}
                  </Status>
                </li>
              ))}
            </ul>
          </Section>
          {record.notes !== null && (
            <Section title={t('notes')}>
              <Typed text={record.notes} />
            </Section>
          )}
        </Page>
      )}
    </Shown>
  );
}
