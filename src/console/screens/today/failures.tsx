import { Link } from 'wouter-preact';
import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { useWords } from '../../words/words.js';
import { Nothing } from './nothing.js';
import { words } from './words.js';

const TO_DO = ['FAILED', 'REJECTED', 'CONTINGENCY'] as const;
const SAID = { FAILED: 'documentFailed', REJECTED: 'documentRejected', CONTINGENCY: 'documentContingency' } as const;

/** Fiscal documents and deliveries that somebody has to look after. */
export function Failures() {
  const t = useWords(words);
  const may = useMay();
  const documents = useRead({
    key: ['today', 'documents'],
    kinds: ['document'],
    when: may('fiscal.view'),
    read: async (signal) => {
      const pages = await Promise.all(
        TO_DO.map((status) => body(api.GET('/fiscal/documents', { params: { query: { status, limit: 5 } }, signal }))),
      );
      return pages.flatMap(({ items }, place) => items.map((item) => ({ ...item, todo: TO_DO[place] ?? 'FAILED' })));
    },
  });
  const destinations = useRead({
    key: ['today', 'destinations'],
    kinds: ['destination'],
    when: may('store.manage'),
    read: async (signal) => {
      const { items } = await body(api.GET('/outbound-webhooks', { signal }));
      return items.filter(({ active, health }) => active && health.consecutiveFailures > 0);
    },
  });
  const nothing = (documents.data ?? []).length + (destinations.data ?? []).length === 0;
  const reading = may('fiscal.view') ? documents : { ...destinations, data: destinations.data && [] };
  return (
    <Section
      title={t('failures')}
      actions={may('fiscal.view') && <Link href="/documentos?show=toDo">{t('seeAll')}</Link>}
    >
      <Shown reading={reading}>
        {() => (
          <Nothing when={nothing} text={t('noFailures')}>
            <ul class="agenda">
              {(documents.data ?? [])
                .filter(({ replacedBy }) => replacedBy === null)
                .map(({ id, model, number, todo }) => (
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
              {(destinations.data ?? []).map(({ id, url, health }) => (
                <li key={id}>
                  <Link href={`/webhooks/${id}`}>{t('destination', { url })}</Link>
                  <Status tone="bad">
                    {t('destinationFails', { count: health.consecutiveFailures, n: health.consecutiveFailures })}
                  </Status>
                </li>
              ))}
            </ul>
          </Nothing>
        )}
      </Shown>
    </Section>
  );
}
