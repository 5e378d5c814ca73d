import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useCommand } from '../../client/queries.js';
import { Button } from '../../parts/button.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Named } from '../named/named-set.js';
import { NamedList } from '../named/named-list.js';
import { words } from '../named/words.js';
import { SeedDialog } from './seed-dialog.js';

export default function Categories() {
  const t = useWords(words);
  const [isSeeding, setSeeding] = useState(false);
  return (
    <>
      <NamedList
        path="/categories"
        kind="category"
        title="categories"
        permission="categories.manage"
        extra={
          <Button
            onClick={() => {
              setSeeding(true);
            }}
          >
            {t('seed')}
          </Button>
        }
        rowAction={(row) => <ApplyNcm row={row} />}
      />
      {isSeeding && (
        <SeedDialog
          onClose={() => {
            setSeeding(false);
          }}
        />
      )}
    </>
  );
}

function ApplyNcm({ row }: { readonly row: Named }) {
  const t = useWords(words);
  const apply = useCommand({
    send: (id: string, headers) => body(api.POST('/categories/{id}/apply-ncm', { params: { path: { id } }, headers })),
    kinds: ['product'],
  });
  if (!row.defaultNcm || row.productCount === 0) return null;
  if (apply.data) {
    return (
      <span class="fine" role="status">
        {t('applied', { updated: whole(apply.data.updated), skipped: whole(apply.data.skipped) })}
      </span>
    );
  }
  return (
    <span class="wide-only">
      <Button
        look="quiet"
        busy={apply.isPending}
        aria-label={t('applyNcmTo', { name: row.name })}
        onClick={() => {
          apply.mutate(row.id);
        }}
      >
        {t('applyNcm')}
      </Button>
      <ProblemNote error={apply.error} />
    </span>
  );
}
