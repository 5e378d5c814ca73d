import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Administration } from '../operations/administration.js';
import { replaceFile } from '../kernel/files/lasting.js';
import type { CommandLanes } from '../kernel/lanes/lanes.js';
import type { Projections } from '../kernel/projections/projections.js';
import type { DocumentServices } from './documents.js';
import type { EventStore } from '../ports/event-store.js';
import { START } from '../ports/event-store.js';
import type { Vault } from '../ports/vault.js';
import type { NewDemoStore } from './making.js';
import { workingSparingly } from './sparing-work.js';

/** The store that a first start makes, so that there is something to look at. */

const STORE: NewDemoStore = {
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

export interface DemoCredentials {
  readonly baseUrl: string;
  readonly storeSlug: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
}

interface DemoServices extends DocumentServices {
  readonly administration: Administration;
  readonly lanes: CommandLanes;
  readonly projections: Pick<Projections, 'caughtUp'>;
  readonly eventStore: EventStore;
  readonly vault: Vault;
  readonly dataDir: string;
}

export interface Demo {
  /** By this very start. */
  readonly made: boolean;
  readonly credentials: DemoCredentials;
}

/**
 * Makes the demo store in an empty log, and finishes one that a crash interrupted; `onMaking` is told before that. The address in
 * its credentials follows the service. Undefined where there is no demo store, or its credentials were thrown away.
 */
export async function ensureDemo(
  services: DemoServices,
  baseUrl: string,
  onMaking: () => void,
): Promise<Demo | undefined> {
  const { eventStore, vault } = services;
  const kept = (await vault.get(PROGRESS.kind, PROGRESS.id))?.value as Progress | undefined;
  if (kept?.made === true) return knownDemo(services.dataDir, baseUrl);
  if (!kept && (await eventStore.head()) !== START) return undefined;
  onMaking();
  // Kept before it is used, so that an interrupted start goes on with the same.
  const password = kept?.password ?? randomBytes(12).toString('base64url');
  if (!kept) await vault.write([{ ...PROGRESS, value: { made: false, password }, expected: 'absent' }]);
  // What a demonstration is made of is loaded by the one start that makes it.
  const { makeStore } = await import('./making.js');
  const { key } = await workingSparingly(async () => {
    const made = await makeStore(services, { ...STORE, password });
    // Who is welcomed finds everything there.
    await services.projections.caughtUp();
    return made;
  });
  const credentials = { baseUrl, storeSlug: STORE.slug, username: STORE.username, password, apiKey: key };
  await keepCredentials(services.dataDir, credentials);
  await vault.write([{ ...PROGRESS, value: { made: true, password: '' }, expected: 'any' }]);
  return { made: true, credentials };
}

const credentialsFile = z.object({
  baseUrl: z.string(),
  storeSlug: z.string(),
  username: z.string(),
  password: z.string(),
  apiKey: z.string(),
});

/** The demo store that an earlier start made. */
async function knownDemo(dataDir: string, baseUrl: string): Promise<Demo | undefined> {
  try {
    const kept = credentialsFile.parse(JSON.parse(await readFile(join(dataDir, CREDENTIALS_FILE), 'utf8')));
    const credentials = { ...kept, baseUrl };
    if (kept.baseUrl !== baseUrl) await keepCredentials(dataDir, credentials);
    return { made: false, credentials };
  } catch {
    return undefined; // the file is its owner's, who may have removed or changed it
  }
}

const keepCredentials = (dataDir: string, credentials: DemoCredentials): Promise<void> =>
  replaceFile(join(dataDir, CREDENTIALS_FILE), `${JSON.stringify(credentials, undefined, 2)}\n`);
