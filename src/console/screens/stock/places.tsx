import type { components } from 'openapi-client';
import { useState } from 'preact/hooks';
import type { Tagged } from '../../client/api.js';
import { api, body, tagged } from '../../client/api.js';
import { ifMatch, useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogForm } from '../../parts/dialog-form.js';
import { CheckField, TextField } from '../../parts/fields.js';
import { useForm } from '../../parts/form.js';
import { useRecordForm } from '../../parts/record-form.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { rowsOf, Table } from '../../parts/table.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { useLocations } from './locations.js';
import { words } from './words.js';

type Location = components['schemas']['Location'];

const noPlace = { name: '', isDefault: false, isProductionDefault: false, active: true };

const valuesOf = ({ name, isDefault, isProductionDefault, active }: Location) => ({
  name,
  isDefault,
  isProductionDefault,
  active,
});

/** Where goods lie: the shop, the store room, the kitchen. */
export function Places() {
  const t = useWords(words);
  const shared = useWords(frame);
  const may = useMay();
  const { reading } = useLocations();
  const [open, setOpen] = useState<string>();
  const close = () => {
    setOpen(undefined);
  };
  const canChange = may('stock.manage');
  return (
    <>
      {canChange && (
        <div class="filters no-print">
          <Button
            icon="plus"
            onClick={() => {
              setOpen('');
            }}
          >
            {t('newPlace')}
          </Button>
        </div>
      )}
      <Shown {...{ reading }}>
        {({ items }) => (
          <Table
            label={t('places')}
            rows={rowsOf(items)}
            rowKey={({ id }) => id}
            empty={t('none')}
            columns={[
              { id: 'name', title: t('location'), cell: ({ name }) => name },
              {
                id: 'use',
                title: t('usedFor'),
                cell: ({ isDefault, isProductionDefault }) =>
                  [isDefault && t('isDefault'), isProductionDefault && t('isProductionDefault')]
                    .filter(Boolean)
                    .join(', ') || '–',
              },
              {
                id: 'status',
                title: t('status'),
                cell: ({ active }) => (
                  <Status tone={active ? 'good' : 'calm'}>{t(active ? 'activePlace' : 'inactivePlace')}</Status>
                ),
              },
              {
                id: 'edit',
                title: '',
                figure: true,
                cell: ({ id, name }) =>
                  canChange && (
                    <Button
                      look="quiet"
                      aria-label={`${shared('edit')} ${name}`}
                      onClick={() => {
                        setOpen(id);
                      }}
                    >
                      {shared('edit')}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Shown>
      {open === '' && <NewPlace onClose={close} />}
      {open && <EditPlace id={open} onClose={close} />}
    </>
  );
}

function Fields({
  values,
  onChange,
}: {
  readonly values: typeof noPlace;
  readonly onChange: (changed: Partial<typeof noPlace>) => void;
}) {
  const t = useWords(words);
  return (
    <>
      <TextField
        label={t('placeName')}
        path="name"
        required
        maxLength={120}
        value={values.name}
        onValue={(name) => {
          onChange({ name });
        }}
      />
      {(['isDefault', 'isProductionDefault', 'active'] as const).map((name) => (
        <CheckField
          key={name}
          label={t(name === 'active' ? 'activePlace' : name)}
          checked={values[name]}
          onChecked={(checked) => {
            onChange({ [name]: checked });
          }}
        />
      ))}
    </>
  );
}

function NewPlace({ onClose }: { readonly onClose: () => void }) {
  const t = useWords(words);
  const form = useForm(noPlace);
  const create = useCommand({
    send: (input: typeof noPlace, headers) => body(api.POST('/locations', { body: input, headers })),
    adds: '/locations',
    kinds: ['location'],
    onDone: onClose,
  });
  return (
    <Dialog title={t('newPlace')} onClose={onClose}>
      <DialogForm form={form} saving={create} onClose={onClose}>
        <Fields
          values={form.values}
          onChange={(changes) => {
            form.change(changes);
          }}
        />
      </DialogForm>
    </Dialog>
  );
}

function EditPlace({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useWords(words);
  const place = useRead({
    key: ['location', id],
    kinds: ['location'],
    read: (signal) => tagged(api.GET('/locations/{id}', { params: { path: { id } }, signal })),
  });
  return (
    <Dialog title={t('location')} onClose={onClose}>
      <Shown reading={place}>{(record) => <OnePlace place={record} onClose={onClose} />}</Shown>
    </Dialog>
  );
}

function OnePlace({ place, onClose }: { readonly place: Tagged<Location>; readonly onClose: () => void }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const { id } = place.record;
  const form = useRecordForm(
    place,
    valuesOf,
    (field) => (field === 'name' ? t('placeName') : t(field === 'active' ? 'activePlace' : field)),
    { history: { kind: 'location', id } },
  );
  const save = useCommand({
    send: (input: typeof noPlace, headers) =>
      body(api.PATCH('/locations/{id}', { params: { path: { id } }, body: input, headers: ifMatch(headers, form) })),
    kinds: ['location'],
    onDone: onClose,
  });
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <DialogForm
        form={form}
        saving={save}
        onClose={onClose}
        removal={{
          label: shared('remove'),
          onAsk: () => {
            setRemoving(true);
          },
        }}
      >
        <Fields
          values={form.values}
          onChange={(changes) => {
            form.change(changes);
          }}
        />
        <p class="fine">{t('placeLead')}</p>
      </DialogForm>
      {isRemoving && (
        <DestructiveDialog
          title={t('removePlace')}
          subject={['location', id]}
          etag={form.etag}
          kinds={['location', 'lot']}
          send={(sent) =>
            api.DELETE('/locations/{id}', {
              params: { path: { id } },
              ...sent,
            })
          }
          onDone={onClose}
          onClose={() => {
            setRemoving(false);
          }}
        >
          {() => <p>{t('removePlaceLead', { name: place.record.name })}</p>}
        </DestructiveDialog>
      )}
    </>
  );
}
