import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { features } from '../../src/features/index.js';
import type { FeatureServices } from '../../src/features/contracts/feature.js';

/** Routes are made of services that nobody asks for anything here: an empty list, too, where one is gone through. */
const nothing: FeatureServices = new Proxy({} as FeatureServices, {
  get: (_, name) => (name === 'auditedRecords' ? [] : new Uint8Array(32)),
});
const routes = features.flatMap((feature) => feature.routes(nothing));

/** What is sent, without what the program makes of it. */
function sent(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') return sent(def.in);
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default') return sent(def.innerType);
  return schema;
}

/** The members that may be left out and do not take null, by path. */
function refusingNull(schema: z.core.$ZodType, path: readonly string[] = []): readonly string[] {
  const { def } = (sent(schema) as z.core.$ZodTypes)._zod;
  if (def.type === 'array') return refusingNull(def.element, [...path, '*']);
  if (def.type !== 'object') return [];
  return Object.entries(def.shape as Readonly<Record<string, z.ZodType>>).flatMap(([name, member]) => {
    const here = [...path, name];
    const refuses = member._zod.optin === 'optional' && !member.safeParse(null).success;
    return [...(refuses ? [here.join('.')] : []), ...refusingNull(member, here)];
  });
}

/** What a PATCH or PUT changes later: there null clears, and what cannot be cleared refuses it, in both alike. */
const isChangedLater = (path: string) =>
  routes.some((route) => ['patch', 'put'].includes(route.method) && route.path.replace(/\/\{\w+\}$/, '') === path);

const found = routes
  .filter(({ method, path }) => method === 'post' && !isChangedLater(path))
  .flatMap(({ path, request }) =>
    request.body ? refusingNull(request.body).map((member) => `${path} ${member}`) : [],
  );

test('what may be left out of a command that makes no record to be changed may be null as well', () => {
  expect(found).toEqual([]);
});
