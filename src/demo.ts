import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Administration } from './administration.js';
import { createApiKeyInput, createOwnedStoreInput } from './administration.js';
import { brand } from './features/brands/decider.js';
import { category } from './features/categories/decider.js';
import { findProfile } from './features/categories/profiles.js';
import { tag } from './features/tags/decider.js';
import type { Clock } from './kernel/clock.js';
import { toIso } from './kernel/clock.js';
import type { StreamType } from './kernel/decider.js';
import { streamName } from './kernel/decider.js';
import { newId } from './kernel/ids.js';
import type { Lanes } from './kernel/lanes.js';
import type { NamedSet, NamedSetCommand, NamedSetEvent } from './kernel/named-set.js';
import { SYSTEM } from './kernel/request-context.js';
import type { EventStore } from './ports/event-store.js';
import { START } from './ports/event-store.js';
import type { Vault } from './ports/vault.js';

/** The store that a first start makes, so that there is something to look at. */

const STORE = {
  slug: 'demo',
  name: 'Padaria Demonstração',
  segment: 'BAKERY',
  activityCode: '4721102',
  username: 'demo',
  email: 'demo@padaria.example',
};
const CREDENTIALS_FILE = 'demo-credentials.json';
const PROGRESS = { kind: 'demo', id: 'progress' };

interface Progress {
  readonly made: boolean;
  readonly password: string;
}

const BRANDS = ['Fabricação própria', 'Moinho Dourado', 'Laticínios da Serra', 'Café do Vale', 'Doce Lar'];
const TAGS = ['Vegano', 'Sem glúten', 'Integral', 'Sem lactose', 'Fornada da manhã'];

export interface DemoCredentials {
  readonly baseUrl: string;
  readonly storeSlug: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
}

export interface DemoServices {
  readonly administration: Administration;
  readonly lanes: Lanes;
  readonly eventStore: EventStore;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly dataDir: string;
}

/**
 * Makes the demo store in an empty log, and finishes one that a crash interrupted. Gives what to print on the start that made it,
 * undefined on every other.
 */
export async function ensureDemo(services: DemoServices, baseUrl: string): Promise<DemoCredentials | undefined> {
  const { administration, eventStore, vault } = services;
  const kept = (await vault.get(PROGRESS.kind, PROGRESS.id))?.value as Progress | undefined;
  if (kept?.made === true) return undefined;
  if (!kept && (await eventStore.head()) !== START) return undefined;
  // Kept before it is used, so that an interrupted start goes on with the same.
  const password = kept?.password ?? randomBytes(12).toString('base64url');
  if (!kept) await vault.write([{ ...PROGRESS, value: { made: false, password }, expected: 'absent' }]);
  const { storeId } = await administration.createOwnedStore(createOwnedStoreInput.parse({ ...STORE, password }));
  await fillRegisters(services, storeId);
  const { key } = await administration.createApiKey(
    createApiKeyInput.parse({ store: STORE.slug, name: 'Demonstração', permissions: 'all' }),
  );
  const credentials = { baseUrl, storeSlug: STORE.slug, username: STORE.username, password, apiKey: key };
  await keepCredentials(services.dataDir, credentials);
  await vault.write([{ ...PROGRESS, value: { made: true, password: '' }, expected: 'any' }]);
  return credentials;
}

async function fillRegisters({ lanes, clock }: DemoServices, storeId: string): Promise<void> {
  const now = clock.now();
  const fill = <Noun extends string, Plural extends string, F extends object>(
    type: StreamType<NamedSet<F>, NamedSetCommand<F>, NamedSetEvent<Noun, Plural, F>>,
    items: readonly (readonly [name: string, fields: F])[],
  ) =>
    lanes.execute(
      type,
      streamName(type.category, storeId),
      { type: 'create', skipTaken: true, items: items.map(([name, fields]) => ({ id: newId(now), name, fields })) },
      { commandId: newId(now), storeId, actor: SYSTEM, requestId: 'demo', at: toIso(now) },
    );
  await fill(
    category,
    (findProfile('bakery')?.categories ?? []).map(([name, defaultNcm]) => [name, { defaultNcm }]),
  );
  await fill(
    brand,
    BRANDS.map((name) => [name, {}]),
  );
  await fill(
    tag,
    TAGS.map((name) => [name, {}]),
  );
}

/** Whole or not at all, and for its owner alone. */
async function keepCredentials(dataDir: string, credentials: DemoCredentials): Promise<void> {
  const file = join(dataDir, CREDENTIALS_FILE);
  const partial = `${file}.partial`;
  await writeFile(partial, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600, flush: true });
  await rename(partial, file);
}
