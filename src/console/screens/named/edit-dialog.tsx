import type { Tagged } from '../../client/api.js';
import { api, body, tagged } from '../../client/api.js';
import { ifMatch, useCommand, useRead } from '../../client/queries.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogForm } from '../../parts/dialog-form.js';
import { TextField } from '../../parts/fields.js';
import { useRecordForm } from '../../parts/record-form.js';
import { Shown } from '../../parts/shown.js';
import { withoutMarks } from '../../values/digits.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import type { Named, NamedSet } from './named-set.js';
import { words } from './words.js';

interface Asking extends Pick<NamedSet, 'path' | 'kind'> {
  readonly onClose: () => void;
}

/** A name, and the NCM of a category, with the tag that its change takes: it stays also where the list no longer shows it. */
export function EditDialog({ id, path, kind, onClose }: Asking & { readonly id: string }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const reading = useRead<Tagged<Named>>({
    key: [path, id],
    kinds: [kind],
    read: (signal) => tagged(api.GET(`${path}/{id}` as '/categories/{id}', { params: { path: { id } }, signal })),
  });
  const name = reading.data?.record.name;
  return (
    <Dialog title={name === undefined ? shared('edit') : t('edit', { name })} onClose={onClose}>
      <Shown reading={reading}>{(found) => <EditForm {...{ path, kind, found, onClose }} />}</Shown>
    </Dialog>
  );
}

const valuesOf = ({ name, defaultNcm }: Named) => ({ name, defaultNcm: defaultNcm ?? '' });
type Values = ReturnType<typeof valuesOf>;

function EditForm({ path, kind, found, onClose }: Asking & { readonly found: Tagged<Named> }) {
  const t = useWords(words);
  const { id } = found.record;
  const form = useRecordForm(found, valuesOf, t, { history: { kind, id } });
  const save = useCommand({
    send: ({ name, defaultNcm }: Values, headers) =>
      body(
        api.PATCH(`${path}/{id}` as '/categories/{id}', {
          params: { path: { id } },
          body: {
            name: name.trim(),
            ...(path === '/categories' ? { defaultNcm: withoutMarks(defaultNcm) || null } : {}),
          },
          headers: ifMatch(headers, form),
        }),
      ),
    kinds: [kind],
    onDone: onClose,
  });
  return (
    <DialogForm form={form} saving={save} onClose={onClose}>
      <TextField label={t('name')} required maxLength={120} {...form.field('name')} />
      {path === '/categories' && (
        <TextField label={t('defaultNcm')} inputMode="numeric" maxLength={12} {...form.field('defaultNcm')} />
      )}
    </DialogForm>
  );
}
