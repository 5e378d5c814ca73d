import { auditPermissions } from './audit/permissions.js';
import { authPermissions } from './auth/permissions.js';
import { brandPermissions } from './brands/permissions.js';
import { cardFeePermissions } from './card-fees/permissions.js';
import { categoryPermissions } from './categories/permissions.js';
import { customerPermissions } from './customers/permissions.js';
import { fiscalPermissions } from './fiscal/permissions.js';
import { inventoryPermissions } from './inventory/permissions.js';
import { productPermissions } from './products/permissions.js';
import { storePermissions } from './stores/permissions.js';
import { tagPermissions } from './tags/permissions.js';
import { traceabilityPermissions } from './traceability/permissions.js';
import type { Language } from '../kernel/events/history.js';
import type { PermissionDeclaration, Role } from './contracts/permissions.js';
import { PERMISSION_GROUPS, ROLES } from './contracts/permissions.js';

/** What the features declare, one line each. */
const declarations = [
  ...productPermissions,
  ...categoryPermissions,
  ...brandPermissions,
  ...tagPermissions,
  ...inventoryPermissions,
  ...customerPermissions,
  ...traceabilityPermissions,
  ...cardFeePermissions,
  ...fiscalPermissions,
  ...authPermissions,
  ...storePermissions,
  ...auditPermissions,
] as const;

type PermissionName = (typeof declarations)[number]['name'];

declare module '../kernel/values/permissions.js' {
  interface DeclaredPermissions {
    readonly name: PermissionName;
  }
}

const groups = Object.keys(PERMISSION_GROUPS);
const declared: readonly (PermissionDeclaration & { readonly name: PermissionName })[] = [...declarations].sort(
  (a, b) => groups.indexOf(a.group) - groups.indexOf(b.group),
);

/** Every permission of the service, in the order in which lists show them. */
export const PERMISSIONS: readonly PermissionName[] = declared.map(({ name }) => name);

/** What an API key may do unless its creator says otherwise. */
export const DEFAULT_KEY_PERMISSIONS: readonly PermissionName[] = declared
  .filter(({ everyKey }) => everyKey)
  .map(({ name }) => name);

const ofRole = (role: Role): readonly PermissionName[] =>
  role === 'OWNER' ? PERMISSIONS : declared.filter(({ roles }) => roles.includes(role)).map(({ name }) => name);

/** What each role may do, unless a member has permissions of their own. */
export const PERMISSIONS_OF_ROLE = Object.fromEntries(ROLES.map((role) => [role, ofRole(role)])) as Readonly<
  Record<Role, readonly PermissionName[]>
>;

const catalogueIn = (language: Language) =>
  Object.entries(PERMISSION_GROUPS).map(([group, labels]) => ({
    group,
    label: labels[language],
    permissions: declared
      .filter((one) => one.group === group)
      .map(({ name, label, description, english }) => ({
        name,
        ...(language === 'en' ? english : { label, description }),
        roles: ROLES.filter((role) => PERMISSIONS_OF_ROLE[role].includes(name)),
      })),
  }));

/** The permissions as people see them when they choose, in their language. */
export const PERMISSION_CATALOGUE = { pt: catalogueIn('pt'), en: catalogueIn('en') } as const;
