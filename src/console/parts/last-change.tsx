import type { ComponentChildren } from 'preact';
import { api, body } from '../client/api.js';
import { useRead } from '../client/queries.js';
import { useMay } from '../client/session.js';
import { useActorName } from './actor.js';
import { LinkButton } from './button.js';
import { Link } from './link.js';
import { moment } from '../values/formats.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';

/** A record as its history names it. */
export interface HistoryOf {
  readonly kind: string;
  readonly id: string;
}

const addressOf = ({ kind, id }: HistoryOf): string => `/auditoria/${kind}/${encodeURIComponent(id)}`;

/** What is said of a change leads to the record's history, for those who may see it. */
export function HistoryLink({ kind, id, children }: HistoryOf & { readonly children: ComponentChildren }) {
  const may = useMay();
  return may('audit.view') ? <Link href={addressOf({ kind, id })}>{children}</Link> : <>{children}</>;
}

/** The same for a record whose page tells of no change. */
export function HistoryButton(record: HistoryOf) {
  const t = useWords(frame);
  const may = useMay();
  return may('audit.view') ? <LinkButton href={addressOf(record)}>{t('history')}</LinkButton> : null;
}

/** Who changed a record last, and when, for those who may see its history. */
export function LastChange({ kind, id, etag }: HistoryOf & { readonly etag: string }) {
  const t = useWords(frame);
  const actor = useActorName();
  const may = useMay();
  const history = useRead({
    key: ['last-change', kind, id, etag],
    kinds: [],
    when: may('audit.view'),
    read: async (signal) => {
      const asked = { params: { path: { kind, id }, query: { limit: 1, order: 'desc' as const } }, signal };
      return (await body(api.GET('/audit/entities/{kind}/{id}', asked))).items[0] ?? null;
    },
  });
  const last = history.data;
  return last ? (
    <p>
      <HistoryLink {...{ kind, id }}>
        {t('conflictBy', { who: actor(last.actor), when: moment(last.at), what: last.text })}
      </HistoryLink>
    </p>
  ) : null;
}
