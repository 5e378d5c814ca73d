import type { components } from 'openapi-client';
import { save } from '../../client/api.js';
import { useCommand } from '../../client/queries.js';
import { useActorName } from '../../parts/actor.js';
import { Button } from '../../parts/button.js';
import { Link } from '../../parts/link.js';
import { Facts } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { moment } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { kinds, words } from './words.js';

type Item = components['schemas']['HistoryItem'];
type Full = components['schemas']['AuditEvent'];

interface Listed {
  readonly items: readonly (Item | Full)[];
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** More records of one kind than these are named when somebody asks. */
const FEW = 3;

/** What happened, one below the other, each in a sentence. */
export function Happenings({ list, label }: { readonly list: Listed; readonly label: string }) {
  const shared = useWords(frame);
  return (
    <>
      <ol class="time-line" aria-label={label}>
        {list.items.map((item) => (
          <Happening key={item.id} item={item} />
        ))}
      </ol>
      {list.hasNextPage && (
        <p class="row">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {shared('showMore')}
          </Button>
        </p>
      )}
    </>
  );
}

function Happening({ item }: { readonly item: Item | Full }) {
  const t = useWords(words);
  const called = useWords(kinds);
  const kindsNamed = [...new Set(item.entities.map(({ kind }) => kind))];
  const byKind = kindsNamed.map((kind) => [kind, item.entities.filter((one) => one.kind === kind)] as const);
  const name = useActorName()(item.actor);
  const person = new URLSearchParams({ actorId: item.actor.id, name });
  return (
    <li>
      <time dateTime={item.at}>{moment(item.at)}</time>
      <div>
        <p>{item.text}</p>
        <p class="fine row">
          <Link href={`/auditoria?${person.toString()}`} aria-label={t('byPerson', { name })}>
            {name}
          </Link>
          {byKind.map(
            ([kind, entities]) => entities.length <= FEW && <Named key={kind} entities={entities} text={item.text} />,
          )}
          <Link href={`/auditoria?requestId=${item.requestId}`} aria-label={`${t('byRequest')}: ${item.text}`}>
            {t('byRequest')}
          </Link>
        </p>
        {byKind.map(
          ([kind, entities]) =>
            entities.length > FEW && (
              <details key={kind}>
                <summary>{t('many', { kind: called(kind as keyof typeof kinds), n: entities.length })}</summary>
                <p class="fine row">
                  <Named entities={entities} text={item.text} />
                </p>
              </details>
            ),
        )}
        <details>
          <summary aria-label={`${t('details')}: ${item.text}`}>{t('details')}</summary>
          <Details item={item} />
        </details>
      </div>
    </li>
  );
}

/** Links to the records that a sentence is about. */
function Named({ entities, text }: { readonly entities: Item['entities']; readonly text: string }) {
  const called = useWords(kinds);
  return (
    <>
      {entities.map(({ kind, id }, place) => {
        const name = `${called(kind as keyof typeof kinds)}${entities.length > 1 ? ` ${String(place + 1)}` : ''}`;
        return (
          <Link key={id} href={`/auditoria/${kind}/${id}`} aria-label={`${name}: ${text}`}>
            {name}
          </Link>
        );
      })}
    </>
  );
}

function Details({ item }: { readonly item: Item | Full }) {
  const t = useWords(words);
  const proof = useCommand({ send: (id: string) => save(`/audit/proofs/${id}`), kinds: [] });
  return (
    <div class="stack">
      <Facts
        facts={[
          [t('type'), <code key="type">{item.type}</code>],
          'stream' in item && [t('place'), <code key="place">{`${item.stream} ${String(item.revision)}`}</code>],
          'hash' in item && [t('hash'), <code key="hash">{item.hash}</code>],
        ]}
      />
      {'data' in item && (
        <pre tabIndex={0} aria-label={item.type}>
          {JSON.stringify(item.data, null, 2)}
        </pre>
      )}
      <div class="row">
        <Button
          icon="save"
          busy={proof.isPending}
          onClick={() => {
            proof.mutate(item.id);
          }}
        >
          {t('saveProof')}
        </Button>
        <span class="fine">{t('proofLead')}</span>
      </div>
      {proof.error && <ProblemNote error={proof.error} />}
    </div>
  );
}
