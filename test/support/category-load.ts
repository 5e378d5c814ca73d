import { randomUUID } from 'node:crypto';
import { askRunningService } from '../../src/operations/administration-socket.js';
import type { Answer } from './world.js';
import { callService } from './world.js';

/** A store of the service in another process, with a key that may do everything. */
export interface StoreAccess {
  readonly slug: string;
  readonly key: string;
}

/** One creation of a category, and what the client learned of it. */
export interface Attempt {
  readonly store: StoreAccess;
  readonly name: string;
  readonly idempotencyKey: string | undefined;
  /** None when the connection broke before an answer. */
  answer?: { readonly status: number; readonly id: string };
}

/** Asks the running service for a store with its administrator, and for a key to it. */
export async function newStoreOf(dataDir: string): Promise<StoreAccess> {
  const slug = `loja-${randomUUID()}`;
  const ask = async (name: string, input: object): Promise<Record<string, unknown>> => {
    const answer = await askRunningService(dataDir, name, input);
    if (!answer || !('result' in answer)) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return answer.result;
  };
  const user = { username: slug.slice(0, 30), email: `${slug}@example.com`, password: randomUUID() };
  await ask('store create', { slug, name: 'Loja', ...user });
  const { key } = await ask('api-key create', { store: slug, name: 'Teste', permissions: 'all' });
  return { slug, key: String(key) };
}

export const callStore = (
  url: string,
  { slug, key }: StoreAccess,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  callService(url + path, method, body, { authorization: `Bearer ${key}`, 'x-store-slug': slug, ...headers });

/** Sends it, and sends it again after a crash. */
export function createCategory(url: string, { store, name, idempotencyKey }: Attempt): Promise<Answer> {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return callStore(url, store, 'POST', '/categories', { name }, headers);
}

/** Clients that create categories one after the other, every other client with idempotency keys, until the service is gone. */
export class CategoryLoad {
  readonly attempts: Attempt[] = [];
  private readonly clients: Promise<void>[];

  constructor(
    private readonly url: string,
    stores: readonly StoreAccess[],
    clientsOfStore = 4,
  ) {
    this.clients = stores.flatMap((store) =>
      Array.from({ length: clientsOfStore }, (_, index) => this.run(store, index % 2 === 1)),
    );
  }

  /** How many were answered so far. */
  get answered(): number {
    return this.attempts.filter(({ answer }) => answer).length;
  }

  /** All attempts, once the last client has met a broken connection. */
  async ended(): Promise<readonly Attempt[]> {
    await Promise.all(this.clients);
    return this.attempts;
  }

  private async run(store: StoreAccess, keyed: boolean): Promise<void> {
    for (;;) {
      const attempt: Attempt = { store, name: randomUUID(), idempotencyKey: keyed ? randomUUID() : undefined };
      this.attempts.push(attempt);
      try {
        const { status, body } = await createCategory(this.url, attempt);
        attempt.answer = { status, id: String(body.id) };
      } catch {
        return;
      }
    }
  }
}
