import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoOf } from '../support/demo-folder.js';
import type { Answer, World } from '../support/world.js';
import { callService, openWorld } from '../support/world.js';

interface Shown {
  readonly id: string;
  readonly saleId: string;
  readonly model: number;
  readonly number: number | null;
  readonly status: string;
  readonly issuedAt: string;
  readonly authorizedAt: string | null;
  readonly environment: string;
  readonly replaces: string | null;
  readonly replacedBy: string | null;
}

let world: World;
let call: (method: string, path: string, body?: unknown) => Promise<Answer>;
let documents: readonly Shown[];

beforeAll(async () => {
  world = await openWorld({ env: { DEMO: 'true' } });
  const { apiKey, storeSlug } = (await demoOf(world)).credentials;
  const headers = { authorization: `Bearer ${apiKey}`, 'x-store-slug': storeSlug };
  call = (method, path, body) => callService(world.url + path, method, body, headers);
  documents = ((await call('GET', '/fiscal/documents?limit=200')).body as { readonly items: readonly Shown[] }).items;
});
afterAll(() => world.close());

const countOf = (model: number, status: string): number =>
  documents.filter((one) => one.model === model && one.status === status).length;

describe('the documents of the demonstration', () => {
  test('are in every state, for both models, in homologation', () => {
    for (const status of ['AUTHORIZED', 'REJECTED', 'FAILED', 'CANCELLED', 'VOIDED']) {
      expect([status, countOf(55, status) > 0, countOf(65, status) > 0]).toEqual([status, true, true]);
    }
    expect([countOf(65, 'CONTINGENCY'), countOf(65, 'PENDING'), countOf(55, 'PENDING')]).toEqual([1, 0, 0]);
    expect(new Set(documents.map(({ environment }) => environment))).toEqual(new Set(['HOMOLOGATION']));
    const offline = documents.find(({ replaces }) => replaces !== null);
    const first = documents.find(({ id }) => id === offline?.replaces);
    expect([offline?.status, first?.status, first?.replacedBy]).toEqual(['AUTHORIZED', 'CANCELLED', offline?.id]);
  });

  test('have numbers without a gap, in the order of their times, which are those of their sales', () => {
    for (const model of [55, 65]) {
      const numbered = documents
        .filter((one) => one.model === model && one.number !== null)
        .sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
      expect(numbered.map(({ number }) => number)).toEqual(numbered.map((_, index) => index + 1));
      const times = numbered.map(({ issuedAt }) => issuedAt);
      expect(times).toEqual([...times].sort());
    }
    const taken = documents.filter(({ status, replaces }) => status === 'AUTHORIZED' && replaces === null);
    for (const { issuedAt, authorizedAt } of taken) {
      expect(Date.parse(authorizedAt ?? '') - Date.parse(issuedAt)).toBeLessThan(5_000);
    }
  });

  test('are printed, and a refused one can be sent again', async () => {
    const rejected = documents.filter(({ status }) => status === 'REJECTED');
    for (const { id } of rejected) {
      expect((await call('POST', `/fiscal/documents/${id}/transmit`)).body).toMatchObject({ status: 'AUTHORIZED' });
    }
    for (const { id } of documents.filter(({ number }) => number !== null)) {
      expect((await call('GET', `/fiscal/documents/${id}/pdf`)).status).toBe(200);
    }
  });
});
