import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import type { Permission } from '../../client/session.js';
import { useMay } from '../../client/session.js';
import { CheckField, SelectField } from '../../parts/fields.js';
import { Shown } from '../../parts/shown.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

export type Role = components['schemas']['User']['role'];
export const ROLES = ['OWNER', 'MANAGER', 'CASHIER', 'BAKER', 'ACCOUNTANT'] as const satisfies readonly Role[];

export const usePermissionCatalogue = () =>
  useRead({
    key: ['permissions'],
    kinds: [],
    read: (signal) => body(api.GET('/auth/permissions/catalog', { signal })),
  });

/** What people call a permission, as soon as that is known. */
export function usePermissionNames(): (permission: Permission) => string {
  const { data = [] } = usePermissionCatalogue();
  const names = new Map(
    data.flatMap(({ permissions }) => permissions.map(({ name, label }) => [name, label] as const)),
  );
  return (permission) => names.get(permission) ?? permission;
}

/** What somebody is in the store. */
export function RoleField({ value, onValue }: { readonly value: Role; readonly onValue: (role: Role) => void }) {
  const t = useWords(words);
  return (
    <SelectField
      label={t('role')}
      path="role"
      required
      value={value}
      onValue={(role) => {
        onValue(role as Role);
      }}
      choices={ROLES.map((role) => ({ value: role, label: t(role) }))}
    />
  );
}

/** All permissions in their groups, to choose from; what one lacks cannot be given away. */
export function PermissionChoice({
  chosen,
  onChosen,
  disabled = false,
}: {
  readonly chosen: readonly Permission[];
  readonly onChosen: (chosen: readonly Permission[]) => void;
  readonly disabled?: boolean;
}) {
  const may = useMay();
  return (
    <Shown reading={usePermissionCatalogue()}>
      {(groups) => (
        <div class="permission-groups">
          {groups.map(({ group, label, permissions }) => (
            <fieldset key={group}>
              <legend class="legend">{label}</legend>
              {permissions.map(({ name, label: called, description }) => (
                <CheckField
                  key={name}
                  label={called}
                  hint={description}
                  disabled={disabled || !may(name)}
                  checked={chosen.includes(name)}
                  onChecked={(checked) => {
                    const all = groups.flatMap(({ permissions }) => permissions.map(({ name: one }) => one));
                    // In their order, as the service gives them: what was only ticked and unticked is as before.
                    onChosen(all.filter((one) => (one === name ? checked : chosen.includes(one))));
                  }}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </Shown>
  );
}
