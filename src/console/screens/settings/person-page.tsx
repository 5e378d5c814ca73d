import type { components } from 'openapi-client';
import { useState } from 'preact/hooks';
import type { Tagged } from '../../client/api.js';
import { api, tagged } from '../../client/api.js';
import { ifMatch, useCommand, useRead } from '../../client/queries.js';
import type { Permission } from '../../client/session.js';
import { useMe } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { CheckField } from '../../parts/fields.js';
import { Form } from '../../parts/form.js';
import { useGoOn } from '../../parts/go-on.js';
import { Facts, Page, Section } from '../../parts/page.js';
import { useRecordForm, useSaving } from '../../parts/record-form.js';
import { Shown } from '../../parts/shown.js';
import { moment } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Role } from './permission-choice.js';
import { PermissionChoice, RoleField, usePermissionNames } from './permission-choice.js';
import { words } from './words.js';

type User = components['schemas']['User'];

interface Rights {
  role: Role;
  active: boolean;
  hasOwn: boolean;
  permissions: readonly Permission[];
}

const rightsOf = (user: User): Rights => ({
  role: user.role,
  active: user.active,
  hasOwn: user.customPermissions !== null,
  permissions: user.customPermissions ?? user.permissions,
});

export function PersonPage({ id }: { readonly id: string }) {
  const reading = useRead({
    key: ['user', id],
    kinds: ['user'],
    read: (signal) => tagged(api.GET('/users/{id}', { params: { path: { id } }, signal })),
  });
  return <Shown reading={reading}>{(person) => <OnePerson person={person} />}</Shown>;
}

function OnePerson({ person }: { readonly person: Tagged<User> }) {
  const t = useWords(words);
  const me = useMe();
  const { record } = person;
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Page
      title={record.name}
      back={{ href: '/configuracoes/pessoas', label: t('people') }}
      actions={
        record.id !== me.id && (
          <Button
            icon="bin"
            look="danger"
            onClick={() => {
              setRemoving(true);
            }}
          >
            {t('removePerson')}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          [t('username'), record.username],
          [t('email'), record.email],
          [t('lastSeen'), record.online ? t('online') : record.lastSeenAt ? moment(record.lastSeenAt) : t('never')],
        ]}
      />
      <PersonRights person={person} />
      {isRemoving && (
        <RemovePerson
          person={person}
          onClose={() => {
            setRemoving(false);
          }}
        />
      )}
    </Page>
  );
}

const FIELD_NAMES = { role: 'role', active: 'mayEnter', hasOwn: 'ownPermissions', permissions: 'permissions' } as const;

function PersonRights({ person }: { readonly person: Tagged<User> }) {
  const t = useWords(words);
  const permissionName = usePermissionNames();
  const form = useRecordForm(person, rightsOf, (field) => t(FIELD_NAMES[field]), {
    valueText(field, { role, permissions }) {
      if (field === 'role') return t(role);
      return field === 'permissions' ? permissions.map(permissionName).join(', ') : undefined;
    },
  });
  const { values } = form;
  const change = useCommand({
    send: ({ role, active, hasOwn, permissions }: Rights, headers) =>
      tagged(
        api.PATCH('/users/{id}', {
          params: { path: { id: person.record.id } },
          body: { role, active, permissions: hasOwn ? [...permissions] : null },
          headers: ifMatch(headers, form),
        }),
      ),
    kinds: ['user'],
    onDone: (answer, sent) => {
      form.saved(sent, answer);
    },
  });
  return (
    <Section title={t('rights')}>
      <Form
        sending={change}
        {...useSaving(form, change)}
        form={form}
        conflict={form.conflict}
        onSubmit={() => {
          change.mutate(values);
        }}
      >
        <div class="fields">
          <RoleField
            value={values.role}
            onValue={(role) => {
              form.set('role', role);
            }}
          />
          <CheckField label={t('mayEnter')} {...form.tick('active')} />
          <CheckField label={t('ownPermissions')} hint={t('ownPermissionsHint')} {...form.tick('hasOwn')} />
        </div>
        {values.hasOwn && (
          <PermissionChoice
            chosen={values.permissions}
            onChosen={(permissions) => {
              form.set('permissions', permissions);
            }}
          />
        )}
      </Form>
    </Section>
  );
}

function RemovePerson({ person, onClose }: { readonly person: Tagged<User>; readonly onClose: () => void }) {
  const t = useWords(words);
  const goOn = useGoOn();
  const { id, name } = person.record;
  return (
    <DestructiveDialog
      title={t('removePerson')}
      subject={['user', id]}
      etag={person.etag}
      kinds={['user']}
      send={(sent) =>
        api.DELETE('/users/{id}', {
          params: { path: { id } },
          ...sent,
        })
      }
      onDone={() => {
        goOn('/configuracoes/pessoas', { replace: true });
      }}
      onClose={onClose}
    >
      {() => <p>{t('removePersonLead', { name })}</p>}
    </DestructiveDialog>
  );
}
