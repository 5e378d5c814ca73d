import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { World } from '../support/world.js';
import { openWorld } from '../support/world.js';

interface Document {
  readonly paths: Record<
    string,
    Record<string, { readonly responses: Record<string, { readonly description: string }> }>
  >;
  readonly components: { readonly schemas: { readonly RefusalCode: { readonly enum: readonly string[] } } };
}

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('a refusal with two statuses stands under each in the document, and once in its list', async () => {
  const { paths, components } = (await (await fetch(`${world.url}/openapi.json`)).json()) as Document;
  const saysSo = (path: string, status: string) =>
    paths[path]?.['post']?.responses[status]?.description.includes('`TOKEN_INVALID`') ?? false;
  expect([saysSo('/auth/reset-password', '400'), saysSo('/auth/reset-password', '401')]).toEqual([true, false]);
  expect([saysSo('/auth/2fa/verify', '400'), saysSo('/auth/2fa/verify', '401')]).toEqual([false, true]);
  expect(components.schemas.RefusalCode.enum.filter((code) => code === 'TOKEN_INVALID')).toHaveLength(1);
});
