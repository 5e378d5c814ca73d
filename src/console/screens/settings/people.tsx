import type { components } from 'openapi-client';
import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useCommand, useList } from '../../client/queries.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { Section } from '../../parts/page.js';
import { Empty, Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { rowsOfList, Table } from '../../parts/table.js';
import { moment } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Role } from './permission-choice.js';
import { RoleField, ROLES, usePermissionCatalogue } from './permission-choice.js';
import { words } from './words.js';

type User = components['schemas']['User'];

export function People() {
  const t = useWords(words);
  const [isAdding, setAdding] = useState(false);
  const [added, setAdded] = useState<string>();
  const people = useList<User>({
    key: ['users'],
    kinds: ['user'],
    read: (at, signal) => body(api.GET('/users', { params: { query: { limit: 100, ...at } }, signal })),
  });
  return (
    <>
      <Section
        title={t('peopleHere')}
        actions={
          <Button
            icon="plus"
            look="main"
            onClick={() => {
              setAdding(true);
            }}
          >
            {t('addPerson')}
          </Button>
        }
      >
        {added !== undefined && (
          <p class="note good" role="status">
            {t('personAdded', { name: added })}
          </p>
        )}
        <Table
          label={t('people')}
          rows={rowsOfList(people)}
          rowKey={({ id }) => id}
          href={({ id }) => `/configuracoes/pessoas/${id}`}
          empty={<Empty title={t('noPeople')} />}
          columns={[
            { id: 'name', title: t('name'), cell: ({ name }) => name },
            { id: 'username', title: t('username'), wide: true, cell: ({ username }) => username },
            { id: 'email', title: t('email'), wide: true, cell: ({ email }) => email },
            {
              id: 'role',
              title: t('role'),
              cell: ({ role, customPermissions }) => (
                <>
                  {t(role)}
                  {customPermissions && <span class="fine block">{t('ownPermissions')}</span>}
                </>
              ),
            },
            {
              id: 'state',
              title: t('state'),
              wide: true,
              cell: ({ active }) => (
                <Status tone={active ? 'good' : 'calm'}>{active ? t('active') : t('inactive')}</Status>
              ),
            },
            {
              id: 'seen',
              title: t('lastSeen'),
              wide: true,
              cell: ({ online, lastSeenAt }) => (online ? t('online') : lastSeenAt ? moment(lastSeenAt) : t('never')),
            },
          ]}
        />
      </Section>
      <RoleGrid />
      {isAdding && (
        <AddPerson
          onDone={(name) => {
            setAdded(name);
            setAdding(false);
          }}
          onClose={() => {
            setAdding(false);
          }}
        />
      )}
    </>
  );
}

/** What each role may do, side by side. */
function RoleGrid() {
  const t = useWords(words);
  const catalogue = usePermissionCatalogue();
  return (
    <Section title={t('grid')}>
      <p class="hint">{t('gridLead')}</p>
      <Shown reading={catalogue}>
        {(groups) => (
          <div class="role-grid" role="region" aria-label={t('grid')} tabIndex={0}>
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">{t('permission')}</th>
                  {ROLES.map((role) => (
                    <th key={role} scope="col">
                      {t(role)}
                    </th>
                  ))}
                </tr>
              </thead>
              {groups.map(({ group, label, permissions }) => (
                <tbody key={group}>
                  <tr>
                    <th scope="rowgroup" colSpan={ROLES.length + 1} class="group">
                      {label}
                    </th>
                  </tr>
                  {permissions.map(({ name, label: called, roles }) => (
                    <tr key={name}>
                      <th scope="row">{called}</th>
                      {ROLES.map((role) => (
                        <td key={role} class={roles.includes(role) ? 'good-text' : 'fine'}>
                          <span aria-hidden="true">{roles.includes(role) ? '✓' : '·'}</span>
                          <span class="unseen">{roles.includes(role) ? t('allowed') : t('notAllowed')}</span>
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              ))}
            </table>
          </div>
        )}
      </Shown>
    </Section>
  );
}

interface NewPerson {
  readonly name: string;
  readonly email: string;
  readonly username: string;
  readonly password: string;
  readonly role: Role;
}

function AddPerson({ onDone, onClose }: { readonly onDone: (name: string) => void; readonly onClose: () => void }) {
  const t = useWords(words);
  const role: Role = 'CASHIER';
  const form = useForm<NewPerson>({ name: '', email: '', username: '', password: '', role });
  const { values } = form;
  const add = useCommand({
    send: (input: typeof values, headers) => {
      const { name, email, username } = input;
      const person = { ...input, name: name.trim(), email: email.trim(), username: username.trim() };
      return body(api.POST('/users', { body: person, headers }));
    },
    adds: '/users',
    kinds: ['user'],
    onDone: ({ name }) => {
      onDone(name);
    },
  });
  const text = (name: 'name' | 'email' | 'username', label: string, hint?: string) => (
    <TextField
      {...{ label, hint }}
      path={name}
      required
      autocomplete="off"
      type={name === 'email' ? 'email' : 'text'}
      value={values[name]}
      onValue={(value) => {
        form.set(name, value);
      }}
    />
  );
  return (
    <Dialog title={t('addPerson')} onClose={onClose}>
      <Form
        sending={add}
        submit={t('addPerson')}
        cancel={onClose}
        form={form}
        onSubmit={() => {
          add.mutate(values);
        }}
      >
        <p>{t('addPersonLead')}</p>
        {text('name', t('name'))}
        {text('email', t('email'))}
        {text('username', t('username'), t('usernameHint'))}
        <TextField
          label={t('firstPassword')}
          required
          type="password"
          autocomplete="new-password"
          minLength={10}
          hint={t('firstPasswordHint')}
          {...form.field('password')}
        />
        <RoleField
          value={values.role}
          onValue={(role) => {
            form.set('role', role);
          }}
        />
      </Form>
    </Dialog>
  );
}
