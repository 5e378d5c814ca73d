import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { Link } from '../../parts/link.js';
import { Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { useWords } from '../../words/words.js';
import { isToDo } from '../documents/to-do.js';
import { Nothing } from './nothing.js';
import { Rest, SeeAll } from './rest.js';
import { words } from './words.js';

const TO_DO = ['FAILED', 'REJECTED', 'CONTINGENCY'] as const;
const SAID = { FAILED: 'documentFailed', REJECTED: 'documentRejected', CONTINGENCY: 'documentContingency' } as const;

/** So many documents of each state are looked at; those that were replaced are left out afterwards. */
const LOOKED_AT = 50;
const SHOWN = 5;

async function documentsToDo(signal: AbortSignal) {
  const pages = await Promise.all(
    TO_DO.map((status) =>
      body(api.GET('/fiscal/documents', { params: { query: { status, limit: LOOKED_AT } }, signal })),
    ),
  );
  const lists = pages.map(({ items }) => items.filter(isToDo));
  return {
    shown: lists.flatMap((list, place) =>
      list.slice(0, SHOWN).map((item) => ({ ...item, todo: TO_DO[place] ?? 'FAILED' })),
    ),
    // What is in contingency is delivered by itself, and is not among those that `toDo` shows.
    more: lists.slice(0, -1).reduce((sum, { length }) => sum + Math.max(0, length - SHOWN), 0),
    isMore: pages.slice(0, -1).some(({ nextCursor }) => nextCursor !== null),
  };
}

async function failingDestinations(signal: AbortSignal) {
  const { items } = await body(api.GET('/outbound-webhooks', { signal }));
  return items.filter(({ active, health }) => active && health.consecutiveFailures > 0);
}

/** Fiscal documents and deliveries that somebody has to look after. */
export function Failures() {
  const t = useWords(words);
  const reading = useRead({
    key: ['today', 'failures'],
    kinds: ['document', 'destination'],
    read: async (signal) => {
      const [documents, destinations] = await Promise.all([documentsToDo(signal), failingDestinations(signal)]);
      return { documents, destinations };
    },
  });
  return (
    <Section title={t('failures')} actions={<SeeAll of={t('failures')} href="/documentos?show=toDo" />}>
      <Shown reading={reading}>
        {({ documents, destinations }) => (
          <Nothing when={documents.shown.length + destinations.length === 0} text={t('noFailures')}>
            <ul class="agenda">
              {documents.shown.map(({ id, model, number, todo }) => (
                <li key={id}>
                  <Link href={`/documentos/${id}`}>
                    {t(number === null ? 'documentUnnumbered' : 'document', {
                      model: model === 65 ? 'NFC-e' : 'NF-e',
                      number: number ?? '',
                    })}
                  </Link>
                  <Status tone={todo === 'CONTINGENCY' ? 'warn' : 'bad'}>{t(SAID[todo])}</Status>
                </li>
              ))}
              {destinations.map(({ id, url, health }) => (
                <li key={id}>
                  <Link href={`/webhooks/${id}`}>{t('destination', { url })}</Link>
                  <Status tone="bad">
                    {t('destinationFails', { count: health.consecutiveFailures, n: health.consecutiveFailures })}
                  </Status>
                </li>
              ))}
            </ul>
            <Rest count={documents.more} isMore={documents.isMore} href="/documentos?show=toDo" />
          </Nothing>
        )}
      </Shown>
    </Section>
  );
}
