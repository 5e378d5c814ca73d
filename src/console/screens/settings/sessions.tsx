import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useCommand, useRead } from '../../client/queries.js';
import { Button } from '../../parts/button.js';
import { Section } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Shown } from '../../parts/shown.js';
import { rowsOf, Table } from '../../parts/table.js';
import { exactMoment, moment, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

type Session = components['schemas']['Session'];

/** The browser and the system that a user agent names, as far as people need it to tell their devices apart. */
function deviceOf(userAgent: string | null): string | undefined {
  if (!userAgent) return undefined;
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\/[\d.]+/.exec(userAgent)?.[1];
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(userAgent)?.[0];
  const named = [browser?.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter(Boolean).join(' · ');
  return named === '' ? userAgent.slice(0, 40) : named;
}

/** Where somebody is signed in, and how to end it there. */
export function Sessions() {
  const t = useWords(words);
  const sessions = useRead({
    key: ['sessions'],
    kinds: ['user'],
    read: (signal) => body(api.GET('/auth/sessions', { signal })),
  });
  const refresh = () => void sessions.refetch();
  const end = useCommand({
    send: (id: string, headers) => body(api.DELETE('/auth/sessions/{id}', { params: { path: { id } }, headers })),
    kinds: [],
    onDone: refresh,
  });
  const endOthers = useCommand({
    send: (_: null, headers) => body(api.DELETE('/auth/sessions', { headers })),
    kinds: [],
    onDone: refresh,
  });
  const called = (session: Session) =>
    `${t('endSession')}: ${deviceOf(session.userAgent) ?? t('unknownDevice')}, ${exactMoment(session.createdAt)}`;
  /** Numbered where that is alike: two browsers of one kind may sign in within a second. */
  const toldApart = (session: Session) => {
    const name = called(session);
    const alike = (sessions.data?.items ?? []).filter((one) => !one.current && called(one) === name);
    return alike.length > 1 ? `${name} (${whole(alike.indexOf(session) + 1)})` : name;
  };
  const ending = (session: Session) =>
    !session.current && (
      <Button
        look="quiet"
        aria-label={toldApart(session)}
        onClick={() => {
          end.mutate(session.id);
        }}
      >
        {t('endSession')}
      </Button>
    );
  return (
    <Section
      title={t('sessions')}
      actions={
        (sessions.data?.items.length ?? 0) > 1 && (
          <Button
            busy={endOthers.isPending}
            onClick={() => {
              endOthers.mutate(null);
            }}
          >
            {t('endOthers')}
          </Button>
        )
      }
    >
      <p class="hint">{t('sessionsLead')}</p>
      <ProblemNote error={end.error ?? endOthers.error} />
      <Shown reading={sessions}>
        {({ items }) => (
          <Table
            label={t('sessions')}
            rows={rowsOf(items)}
            rowKey={({ id }) => id}
            empty=""
            columns={[
              {
                id: 'device',
                title: t('device'),
                cell: ({ userAgent, current }) => (
                  <>
                    {deviceOf(userAgent) ?? t('unknownDevice')}
                    {current && <span class="fine block">{t('thisDevice')}</span>}
                  </>
                ),
              },
              { id: 'begun', title: t('begun'), wide: true, cell: ({ createdAt }) => moment(createdAt) },
              { id: 'seen', title: t('lastSeen'), cell: ({ lastSeenAt }) => moment(lastSeenAt) },
              { id: 'end', title: t('actions'), cell: ending },
            ]}
          />
        )}
      </Shown>
    </Section>
  );
}
