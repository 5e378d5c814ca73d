import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useCommand, useRead } from '../../client/queries.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { CheckField, SelectField, TextField } from '../../parts/fields.js';
import { Form } from '../../parts/form.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Shown } from '../../parts/shown.js';
import { folded } from '../../values/folded.js';
import { whole } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { words } from '../named/words.js';
import { useNamed } from '../products/named-choices.js';

interface Suggested {
  readonly name: string;
  readonly defaultNcm: string | null;
}

/** A new store gets its categories from what stores of its kind have. */
export function SeedDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const profiles = useRead({
    key: ['categories', 'profiles'],
    kinds: [],
    read: (signal) => body(api.GET('/categories/seed/profiles', { signal })),
  });
  const present = useNamed('/categories');
  const [profile, setProfile] = useState('');
  const [description, setDescription] = useState('');
  const [useAi, setUseAi] = useState(false);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = profile === '' ? (profiles.data?.suggested ?? profiles.data?.profiles[0]?.id ?? '') : profile;
  const suggest = useCommand({
    send: (asked: { profile: string; useAi: boolean; businessDescription?: string }, headers) =>
      body(api.POST('/categories/seed/suggest', { body: asked as never, headers })),
    kinds: [],
  });
  const apply = useCommand({
    send: (items: Suggested[], headers) => body(api.POST('/categories/seed/apply', { body: { items }, headers })),
    kinds: ['category'],
  });
  const isThere = new Set(present.map(({ label }) => folded(label)));
  const missing = suggest.data?.items.filter(({ name }) => !isThere.has(folded(name)));
  const wanted = (missing ?? []).filter(({ name }) => !left.has(name));
  if (apply.data) {
    return (
      <Dialog title={t('seed')} onClose={onClose}>
        <p role="status">{t('seeded', { created: whole(apply.data.created), skipped: whole(apply.data.skipped) })}</p>
        <Button onClick={onClose}>{shared('close')}</Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('seed')} onClose={onClose}>
      <Shown reading={profiles}>
        {(known) => (
          <div class="stack">
            <p>{t('seedLead')}</p>
            <Form
              sending={suggest}
              submit={t('suggest')}
              onSubmit={() => {
                suggest.mutate({
                  profile: chosen,
                  useAi,
                  ...(description.trim() === '' ? {} : { businessDescription: description.trim() }),
                });
              }}
            >
              <SelectField
                label={t('profile')}
                required
                value={chosen}
                onValue={setProfile}
                choices={known.profiles.map(({ id, label }) => ({ value: id, label }))}
              />
              <TextField
                label={t('description')}
                path="businessDescription"
                value={description}
                onValue={setDescription}
              />
              <CheckField label={t('useAi')} checked={useAi} onChecked={setUseAi} />
            </Form>
            {suggest.data?.aiError && <p class="note warn">{t('noAi', { why: suggest.data.aiError })}</p>}
            {missing?.length === 0 && <p role="status">{t('allThere')}</p>}
            {missing?.map(({ name, defaultNcm }) => (
              <CheckField
                key={name}
                label={defaultNcm === null ? name : `${name} · ${defaultNcm}`}
                checked={!left.has(name)}
                onChecked={() => {
                  const next = new Set(left);
                  if (!next.delete(name)) next.add(name);
                  setLeft(next);
                }}
              />
            ))}
            <ProblemNote error={apply.error} />
            {wanted.length > 0 && (
              <Button
                look="main"
                busy={apply.isPending}
                onClick={() => {
                  apply.mutate(wanted);
                }}
              >
                {t('apply', { count: wanted.length })}
              </Button>
            )}
          </div>
        )}
      </Shown>
    </Dialog>
  );
}
