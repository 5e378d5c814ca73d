import { z } from 'zod';
import { languageOf } from '../../../kernel/routes/language.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { ROLES } from '../../contracts/permissions.js';
import { PERMISSION_CATALOGUE, PERMISSIONS } from '../../permissions.js';

const catalogue = z.array(
  z.object({
    group: z.string(),
    label: z.string(),
    permissions: z.array(
      z.object({
        name: z.enum(PERMISSIONS),
        label: z.string(),
        description: z.string(),
        roles: z.array(z.enum(ROLES)).meta({ description: 'Who has it unless a user has permissions of their own.' }),
      }),
    ),
  }),
);

export const catalogueRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/auth/permissions/catalog',
    tag: 'Authentication',
    summary: 'Lists all permissions in groups, with what they mean',
    description: 'In Portuguese, or in English where `Accept-Language` asks for it first.',
    permission: 'authenticated',
    request: {},
    response: { status: 200, schema: catalogue },
    handle: (_input, context) => ({ body: PERMISSION_CATALOGUE[languageOf(context)] }),
  }),
];
