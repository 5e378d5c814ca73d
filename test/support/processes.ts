import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src/kernel/values/clock.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import type { StoreClient, World } from './world.js';
import { openWorld } from './world.js';

/** One process or several over the same engine. */
export interface Processes {
  readonly first: World;
  /** A client of a new store, through the first process. */
  readonly store: StoreClient;
  /** Clients of the same store, one through each process. */
  readonly clients: readonly StoreClient[];
  /** They take turns. */
  client(turn: number): StoreClient;
  close(): Promise<void>;
}

interface ProcessOptions {
  readonly clock?: Clock;
  /** All of them, as in the others, unless something else is said. */
  readonly rolesOfFirst?: string;
}

export async function openProcesses(
  settings: Readonly<Record<string, string>>,
  count: number,
  { clock = systemClock(), rolesOfFirst }: ProcessOptions = {},
): Promise<Processes> {
  const secret = randomBytes(32).toString('base64');
  const env = { ...settings, ...(count > 1 ? { SECRETS_KEY: secret, JWT_SECRET: secret } : {}) };
  const worlds: World[] = [];
  const close = async () => {
    await Promise.all(worlds.map((world) => world.close()));
  };
  try {
    for (let opened = 0; opened < count; opened++) {
      const roles = opened === 0 && rolesOfFirst !== undefined ? { ROLES: rolesOfFirst } : {};
      worlds.push(await openWorld({ env: { ...env, ...roles }, clock }));
    }
    const [first, ...others] = worlds;
    if (!first) throw new Error('no process');
    const store = await first.newStore();
    const clients = [store, ...(await Promise.all(others.map((world) => world.newKey(store.slug))))];
    return { first, store, clients, client: (turn) => clients[turn % clients.length] ?? store, close };
  } catch (error) {
    await close();
    throw error;
  }
}
