import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useList } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useActorName } from '../../parts/actor.js';
import { Button } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { SelectField } from '../../parts/fields.js';
import { Section } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Loading } from '../../parts/shown.js';
import type { Tone } from '../../parts/status.js';
import { Status } from '../../parts/status.js';
import { rowsOf, Table } from '../../parts/table.js';
import { moment } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { differencesOf } from './differences.js';
import type { Recipe, Version } from './formula.js';
import { words } from './words.js';

const TONES: Readonly<Record<Version['status'], Tone>> = { ACTIVE: 'good', OBSOLETE: 'calm', DRAFT: 'warn' };

/** All versions, and any two of them side by side with what changed. */
export function Versions({ recipe }: { readonly recipe: Recipe }) {
  const t = useWords(words);
  const list = useList<Version>({
    key: ['recipe', recipe.id, 'versions'],
    kinds: ['recipe'],
    read: async (query, signal) => {
      const { versions, nextCursor } = await body(
        api.GET('/bakery-production/recipes/{id}/versions', { params: { path: { id: recipe.id }, query }, signal }),
      );
      return { items: versions, nextCursor };
    },
  });
  if (list.isPending) return <Loading />;
  return (
    <>
      <ProblemNote error={list.error} />
      <ul class="agenda">
        {list.items.map((version) => (
          <OneVersion key={String(version.version)} recipe={recipe} version={version} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('olderVersions')}
        </Button>
      )}
      {list.items.length > 1 && <Comparison versions={list.items} />}
    </>
  );
}

/** A version by its number; drafts are called by theirs. */
function useVersionName(): (version: Version['version']) => string {
  const t = useWords(words);
  return (version) => {
    const draft = /^draft-(\d+)$/.exec(String(version))?.[1];
    return draft === undefined ? t('version', { version }) : t('draft', { number: draft });
  };
}

function OneVersion({ recipe, version }: { readonly recipe: Recipe; readonly version: Version }) {
  const t = useWords(words);
  const actor = useActorName();
  const may = useMay();
  const nameOf = useVersionName();
  const path = { id: recipe.id, version: String(version.version) };
  const [asked, setAsked] = useState<'activate' | 'remove'>();
  const close = () => {
    setAsked(undefined);
  };
  const isDraft = version.status === 'DRAFT';
  return (
    <li>
      <span>
        {nameOf(version.version)} <Status tone={TONES[version.status]}>{t(version.status)}</Status>
      </span>
      <span class="fine">
        {t('changedBy', { who: actor(version.createdBy), when: moment(version.createdAt) })}
        {version.changeReason !== null && ` · ${version.changeReason}`}
        {version.outdated === true && <span class="warn-text"> · {t('outdated')}</span>}
      </span>
      {isDraft && may('production.manage') && (
        <span class="row">
          <Button
            look="main"
            onClick={() => {
              setAsked('activate');
            }}
          >
            {t('activate')}
          </Button>
          <Button
            look="danger"
            onClick={() => {
              setAsked('remove');
            }}
          >
            {t('deleteDraft')}
          </Button>
        </span>
      )}
      {asked === 'activate' && (
        <ActivateDialog path={path} draft={nameOf(version.version)} recipe={recipe} onClose={close} />
      )}
      {asked === 'remove' && (
        <DestructiveDialog
          title={t('deleteDraft')}
          subject={['recipe', path]}
          kinds={['recipe']}
          send={(sent) =>
            api.DELETE('/bakery-production/recipes/{id}/versions/{version}', {
              params: { path },
              ...sent,
            })
          }
          onClose={close}
        >
          {() => <p>{t('deleteDraftLead', { draft: nameOf(version.version), recipe: recipe.name })}</p>}
        </DestructiveDialog>
      )}
    </li>
  );
}

/** All orders that are planned from here on are made by it, so it is asked about first. */
function ActivateDialog({
  path,
  draft,
  recipe,
  onClose,
}: {
  readonly path: { readonly id: string; readonly version: string };
  readonly draft: string;
  readonly recipe: Recipe;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  return (
    <DestructiveDialog
      title={t('activate')}
      subject={['recipe', path, 'activate']}
      kinds={['recipe']}
      asksReason={{ optional: true, maxLength: 500 }}
      send={(sent, reason) =>
        api.POST('/bakery-production/recipes/{id}/versions/{version}/activate', {
          params: { path },
          body: reason === '' ? {} : { changeReason: reason },
          ...sent,
        })
      }
      onClose={onClose}
    >
      {() => <p>{t('activateLead', { draft, recipe: recipe.name, version: String(recipe.currentVersion) })}</p>}
    </DestructiveDialog>
  );
}

function Comparison({ versions }: { readonly versions: readonly Version[] }) {
  const t = useWords(words);
  const nameOf = useVersionName();
  const choices = versions.map(({ version }) => ({ value: String(version), label: nameOf(version) }));
  const [from, setFrom] = useState(choices[1]?.value);
  const [to, setTo] = useState(choices[0]?.value);
  // A draft that was chosen may be gone since, or be in force under its number.
  const chosen = (wanted: string | undefined) => versions.find(({ version }) => String(version) === wanted);
  const before = chosen(from) ?? versions[1];
  const after = chosen(to) ?? versions[0];
  const all = [before, after].flatMap((version) => [
    version?.snapshot.finishedVariantId,
    ...(version?.snapshot.items ?? []).map(({ componentVariantId }) => componentVariantId),
    ...(version?.snapshot.byproducts ?? []).map(({ variantId }) => variantId),
  ]);
  const names = useNames(all);
  if (!before || !after) return null;
  const rows = differencesOf(before.snapshot, after.snapshot, t, {
    nameOf: (id) => names(id)?.description ?? '…',
    unitOf: (id) => names(id)?.saleUnit,
  });
  return (
    <Section title={t('compare')}>
      <div class="filters">
        <SelectField label={t('from')} required value={String(before.version)} onValue={setFrom} choices={choices} />
        <SelectField label={t('to')} required value={String(after.version)} onValue={setTo} choices={choices} />
      </div>
      <Table
        label={t('compareLead', { from: nameOf(before.version), to: nameOf(after.version) })}
        rows={rowsOf(rows)}
        rowKey={({ field }) => field}
        empty={t('nothingChanged')}
        columns={[
          { id: 'field', title: t('field'), cell: ({ field }) => field },
          {
            id: 'from',
            title: t('from'),
            cell: (row) => (row.from === t('absent') ? <span class="fine">{row.from}</span> : <del>{row.from}</del>),
          },
          {
            id: 'to',
            title: t('to'),
            cell: (row) => (row.to === t('gone') ? <span class="fine">{row.to}</span> : <ins>{row.to}</ins>),
          },
        ]}
      />
    </Section>
  );
}
