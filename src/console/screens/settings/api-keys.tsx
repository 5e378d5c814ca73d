import type { components } from 'openapi-client';
import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useCommand, useList } from '../../client/queries.js';
import type { Permission } from '../../client/session.js';
import { useActorName } from '../../parts/actor.js';
import { Button } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { Dialog } from '../../parts/dialog.js';
import { DateField, SelectField, TextField } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { Section } from '../../parts/page.js';
import { Empty } from '../../parts/shown.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { rowsOfList, Table } from '../../parts/table.js';
import { day, lastDay, moment } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { PermissionChoice } from './permission-choice.js';
import { words } from './words.js';

type ApiKey = components['schemas']['ApiKey'];

export function ApiKeys() {
  const t = useWords(words);
  const actor = useActorName();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<string>();
  const [revoked, setRevoked] = useState<ApiKey>();
  const keys = useList<ApiKey>({
    key: ['api-keys'],
    kinds: ['apiKey'],
    read: (at, signal) => body(api.GET('/api-keys', { params: { query: { limit: 100, ...at } }, signal })),
  });
  const expiry = ({ expiresAt }: ApiKey) => {
    if (expiresAt === null) return t('keyNeverExpires');
    if (Date.parse(expiresAt) > Date.now()) return lastDay(expiresAt);
    return <span class="bad-text">{t('keyExpired', { when: lastDay(expiresAt) })}</span>;
  };
  return (
    <Section
      title={t('keysHere')}
      actions={
        <Button
          icon="plus"
          look="main"
          onClick={() => {
            setMaking(true);
          }}
        >
          {t('newKey')}
        </Button>
      }
    >
      <p class="hint">{t('keyLead')}</p>
      <Table
        label={t('keys')}
        rows={rowsOfList(keys)}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noKeys')} />}
        columns={[
          { id: 'name', title: t('keyName'), cell: ({ name }) => name },
          {
            id: 'permissions',
            title: t('permissions'),
            wide: true,
            cell: ({ permissions }) => (
              <span title={permissions.join(', ')}>{t('permissionCount', { n: permissions.length })}</span>
            ),
          },
          { id: 'made', title: t('keyMade'), wide: true, cell: ({ createdAt }) => day(createdAt) },
          { id: 'maker', title: t('keyMadeBy'), wide: true, cell: ({ createdBy }) => actor(createdBy) },
          { id: 'expires', title: t('keyExpires'), wide: true, cell: expiry },
          {
            id: 'used',
            title: t('keyLastUsed'),
            cell: ({ lastUsedAt }) => (lastUsedAt ? moment(lastUsedAt) : t('never')),
          },
          {
            id: 'revoke',
            title: t('actions'),
            cell: (key) => (
              <Button
                look="quiet"
                onClick={() => {
                  setRevoked(key);
                }}
              >
                {t('revoke')}
              </Button>
            ),
          },
        ]}
      />
      {isMaking && (
        <NewKey
          onMade={setMade}
          onClose={() => {
            setMaking(false);
          }}
        />
      )}
      {made !== undefined && (
        <KeyShown
          made={made}
          onKept={() => {
            setMade(undefined);
          }}
        />
      )}
      {revoked && (
        <RevokeKey
          apiKey={revoked}
          onClose={() => {
            setRevoked(undefined);
          }}
        />
      )}
    </Section>
  );
}

interface KeyValues {
  name: string;
  expiresOn: string;
  scope: string;
  permissions: readonly Permission[];
}

/** The key, the one time that it can be seen: also where the dialog that made it was closed before the answer came. */
function KeyShown({ made, onKept }: { readonly made: string; readonly onKept: () => void }) {
  const t = useWords(words);
  return (
    <Dialog title={t('newKey')}>
      <div class="form">
        <p class="note warn">{t('keyOnce')}</p>
        <ShownOnce label={t('theKey')} value={made} />
        <div class="form-foot">
          <Button look="main" onClick={onKept}>
            {t('keyKept')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function NewKey({ onMade, onClose }: { readonly onMade: (key: string) => void; readonly onClose: () => void }) {
  const t = useWords(words);
  const form = useForm<KeyValues>({ name: '', expiresOn: '', scope: 'usual', permissions: [] });
  const { values } = form;
  const make = useCommand({
    send: ({ name, expiresOn, scope, permissions }: KeyValues, headers) =>
      body(
        api.POST('/api-keys', {
          body: {
            name: name.trim(),
            ...(expiresOn === '' ? {} : { expiresAt: expiresOn }),
            ...(scope === 'usual' ? {} : { permissions: [...permissions] }),
          },
          headers,
        }),
      ),
    // Sent once more, the service answers with the secret that nobody has seen.
    adds: '/api-keys',
    kinds: ['apiKey'],
    onDone: ({ key }) => {
      onMade(key);
      onClose();
    },
  });
  const isChosen = values.scope === 'chosen';
  return (
    <Dialog title={t('newKey')} onClose={onClose} wide={isChosen}>
      <Form
        sending={make}
        form={form}
        submit={t('makeKey')}
        cancel={onClose}
        disabled={isChosen && values.permissions.length === 0}
        onSubmit={() => {
          make.mutate(values);
        }}
      >
        <TextField label={t('keyName')} required maxLength={120} {...form.field('name')} />
        <DateField label={t('keyExpires')} {...form.field('expiresOn')} path="expiresAt" />
        <SelectField
          label={t('permissions')}
          required
          {...form.field('scope')}
          path="permissions"
          choices={[
            { value: 'usual', label: t('usualPermissions') },
            { value: 'chosen', label: t('chosenPermissions') },
          ]}
        />
        {isChosen && (
          <PermissionChoice
            chosen={values.permissions}
            onChosen={(permissions) => {
              form.set('permissions', permissions);
            }}
          />
        )}
      </Form>
    </Dialog>
  );
}

function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const t = useWords(words);
  const path = { id: apiKey.id };
  return (
    <DestructiveDialog
      title={t('revoke')}
      subject={['api-key', apiKey.id]}
      kinds={['apiKey']}
      send={(sent) => api.DELETE('/api-keys/{id}', { params: { path }, ...sent })}
      onClose={onClose}
    >
      {() => <p>{t('revokeLead', { name: apiKey.name })}</p>}
    </DestructiveDialog>
  );
}
