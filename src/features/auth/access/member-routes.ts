import { z } from 'zod';
import { defined } from '../../../kernel/values/defined.js';
import { mayBeAbsent, name, pathId } from '../../../kernel/values/fields.js';
import { listAnswer, listQuery } from '../../../kernel/routes/lists.js';
import { PERMISSIONS } from '../../permissions.js';
import type { Reply, Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { emailAddress, newPassword, userName } from '../accounts/fields.js';
import { ACCOUNT_OF_ITS_HOLDER, USERNAME_TAKEN } from '../accounts/rejections.js';
import { PASSWORD_UNFIT, RESET_TOKEN_INVALID } from '../sign-in/rejections.js';
import type { Rights } from './events.js';
import type { Invitations } from './invitations.js';
import { inOrder, memberRecord } from './member-record.js';
import type { Members, Tagged } from './members.js';
import {
  ALREADY_MEMBER,
  LAST_ADMINISTRATOR,
  LAST_OWNER,
  OWNERS_MAKE_OWNERS,
  PERMISSION_NOT_YOURS,
} from './rejections.js';
import { ROLES } from '../../contracts/permissions.js';

const NAME_LENGTH = 120;
const LONGEST_TOKEN = 200;

export const permissionList = z
  .array(z.enum(PERMISSIONS))
  .max(PERMISSIONS.length)
  .refine((list) => new Set(list).size === list.length, { error: 'must not name a permission twice' })
  .transform(inOrder)
  .meta({ type: 'array', items: { type: 'string', enum: [...PERMISSIONS] }, uniqueItems: true });

const customPermissions = permissionList.nullable().optional();

const newUser = z
  .strictObject({
    username: userName,
    email: emailAddress,
    name: name(NAME_LENGTH),
    password: newPassword,
    role: z.enum(ROLES),
    permissions: customPermissions,
  })
  .meta({ id: 'UserBody' });

const userChange = z
  .strictObject({
    username: userName.optional(),
    email: emailAddress.optional(),
    name: name(NAME_LENGTH).optional(),
    password: newPassword.optional(),
    role: z.enum(ROLES).optional(),
    permissions: customPermissions,
    active: z.boolean().optional(),
  })
  .meta({ id: 'UserChange' });

const params = z.strictObject({ id: pathId });
const users = { tag: 'Users', permission: 'users.manage' } as const;

const reply = ({ record, tag }: Tagged): Reply => ({ body: record, etag: tag });

export const memberRoutes = (members: Members, invitations: Invitations): readonly Route[] => [
  route({
    ...users,
    method: 'get',
    path: '/users',
    summary: 'Lists the users of the store in the order in which they came',
    request: { query: listQuery },
    response: { status: 200, schema: listAnswer(memberRecord) },
    handle: async ({ query }, context) => ({ body: await members.page(context, query) }),
  }),
  route({
    ...users,
    method: 'get',
    path: '/users/{id}',
    summary: 'Gives one user with its entity tag',
    request: { params },
    response: { status: 200, schema: memberRecord, etag: true },
    handle: async (input, context) => reply(await members.get(context, input.params.id)),
  }),
  route({
    ...users,
    method: 'post',
    path: '/users',
    summary: 'Adds a user to the store',
    description:
      'Makes an account with the user name and password. When the e-mail address belongs to another account already, its holder is invited by mail to join with that account instead; the answer is the same, also beyond the 100 mails in an hour that leave because of one store.',
    request: { body: newUser },
    response: { status: 201, schema: memberRecord, etag: true },
    rejections: [USERNAME_TAKEN, PERMISSION_NOT_YOURS, OWNERS_MAKE_OWNERS],
    async handle({ body }, context) {
      const { username, email, name: called, password, role, permissions } = body;
      const rights: Rights = { role, permissions: permissions ?? null, active: true };
      const profile = { username, email, name: called };
      const { pagesUrl } = context.client;
      return reply(await members.add(context, { profile, password, rights }, context.actor, pagesUrl));
    },
  }),
  route({
    ...users,
    method: 'patch',
    path: '/users/{id}',
    summary: 'Changes what a user may do; omitted fields stay, permissions null are those of the role',
    description:
      'Name, user name, e-mail and password are changed by the holder alone, except while the account belongs to no other store than the one that created it.',
    request: { params, body: userChange },
    response: { status: 200, schema: memberRecord, etag: true },
    rejections: [
      USERNAME_TAKEN,
      PERMISSION_NOT_YOURS,
      OWNERS_MAKE_OWNERS,
      ACCOUNT_OF_ITS_HOLDER,
      LAST_ADMINISTRATOR,
      LAST_OWNER,
    ],
    async handle(input, context) {
      const { username, email, name: called, password, role, permissions, active } = input.body;
      const profile = defined({ username, email, name: called });
      const rights = defined({ role, permissions, active });
      return reply(await members.change(context, input.params.id, { profile, rights, password }));
    },
  }),
  route({
    ...users,
    method: 'delete',
    path: '/users/{id}',
    summary: 'Takes a user out of the store; an account ends with its last store',
    request: { params },
    response: { status: 204 },
    rejections: [LAST_ADMINISTRATOR, LAST_OWNER, PERMISSION_NOT_YOURS],
    async handle(input, context) {
      await members.remove(context, input.params.id);
      return {};
    },
  }),
  route({
    method: 'post',
    path: '/users/invitations/accept',
    operationId: 'acceptInvitation',
    tag: 'Users',
    summary: 'Joins a store with the token of an invitation',
    permission: 'public',
    description:
      'For an account that never proved its address the password is needed: it becomes the password of the account, whose second factor and sessions end.',
    request: {
      body: z.strictObject({ token: z.string().min(1).max(LONGEST_TOKEN), password: mayBeAbsent(newPassword) }),
    },
    response: { status: 200, schema: z.object({ storeSlug: z.string(), storeName: z.string() }) },
    rejections: [RESET_TOKEN_INVALID, ALREADY_MEMBER, PASSWORD_UNFIT],
    async handle({ body }, context) {
      const { slug, tradeName } = await invitations.accept(context, body.token, body.password);
      return { body: { storeSlug: slug, storeName: tradeName } };
    },
  }),
];
