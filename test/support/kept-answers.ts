import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { readKey } from '../../src/http/idempotency/row.js';
import { wholeLog } from './people.js';
import { until } from './until.js';
import type { Answer, StoreClient, World } from './world.js';

/** Answers kept for idempotency keys, and how one is lost: as in a process that dies right after it recorded something. */

const KIND = 'idempotency';

const rowIds = async ({ service }: World): Promise<readonly string[]> =>
  (await service.core.engines.vault.list(KIND, { limit: 10_000 })).map(({ id }) => id);

export const keptRows = async (world: World): Promise<ReadonlySet<string>> => new Set(await rowIds(world));

/** Takes the answer out of the only row that is not among `before`; false where nothing was recorded that would give it again. */
export async function forgetAnswer(world: World, before: ReadonlySet<string>): Promise<boolean> {
  const { vault } = world.service.core.engines;
  const row = async () => {
    const id = (await rowIds(world)).find((one) => !before.has(one));
    const found = id === undefined ? undefined : await readKey(vault, id);
    return id !== undefined && found?.value.answer ? { ...found, id } : undefined;
  };
  await until('the answer is kept', async () => (await row()) !== undefined);
  const kept = await row();
  if (!kept) throw new Error('the key has no row');
  const { answer, ...value } = kept.value;
  if (answer?.recorded !== true) return false;
  const expiresAt = value.claimedAt + 3_600_000;
  return vault.write([{ kind: KIND, id: kept.id, value, expected: kept.version, expiresAt }]);
}

interface LostAnswer {
  readonly first: Answer;
  /** Makes the request again with its key, and expects that it is answered as a success and records nothing. */
  repeat(): Promise<Answer>;
}

/** Makes a request whose answer is lost. */
export async function loseAnswer(
  world: World,
  store: StoreClient,
  ...[method, path, body]: readonly [method: string, path: string, body: object]
): Promise<LostAnswer> {
  const before = await keptRows(world);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await store.call(method, path, body, headers);
  expect(first.status).toBeLessThan(300);
  expect(await forgetAnswer(world, before)).toBe(true);
  const repeat = async () => {
    const recorded = (await wholeLog(world)).length;
    const again = await store.call(method, path, body, headers);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([first.status, 'true']);
    expect((await wholeLog(world)).slice(recorded).map(({ type }) => type)).toEqual([]);
    return again;
  };
  return { first, repeat };
}
