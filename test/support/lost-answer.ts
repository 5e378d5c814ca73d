import { randomUUID } from 'node:crypto';
import { expect, jest } from '@jest/globals';
import type { KeyRow } from '../../src/http/idempotency/row.js';
import type { VaultWrite } from '../../src/ports/vault.js';
import { wholeLog } from './people.js';
import type { Answer, StoreClient, World } from './world.js';

const isAnswer = ({ kind, value }: VaultWrite): boolean =>
  kind === 'idempotency' && (value as KeyRow | undefined)?.answer !== undefined;

/** Runs a request with an idempotency key whose answer is not kept, as when the process dies right behind its last fact. */
export async function withLostAnswer<T>({ service }: World, ask: () => Promise<T>): Promise<T> {
  const { vault } = service.core.engines;
  const write = vault.write.bind(vault);
  const lost = jest
    .spyOn(vault, 'write')
    .mockImplementation((writes) =>
      writes.some(isAnswer) ? Promise.reject(new Error('the answer is lost')) : write(writes),
    );
  try {
    return await ask();
  } finally {
    lost.mockRestore();
  }
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
  const headers = { 'idempotency-key': randomUUID() };
  const ask = () => store.call(method, path, body, headers);
  const first = await withLostAnswer(world, ask);
  expect(first.status).toBeLessThan(300);
  const repeat = async () => {
    const recorded = (await wholeLog(world)).length;
    const again = await ask();
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([first.status, 'true']);
    expect((await wholeLog(world)).slice(recorded).map(({ type }) => type)).toEqual([]);
    return again;
  };
  return { first, repeat };
}
