import { jest } from '@jest/globals';
import type { KeyRow } from '../../src/http/idempotency/row.js';
import type { VaultWrite } from '../../src/ports/vault.js';
import type { World } from './world.js';

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
