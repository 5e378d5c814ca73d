import { cp, mkdtemp, readdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Demo } from '../../src/demo/store.js';
import { ensureDemo } from '../../src/demo/store.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { dayOf } from '../../src/kernel/values/days.js';
import type { World } from './world.js';
import { openWorld } from './world.js';

/** Where the demo store is. */
export const STORE_ZONE = 'America/Sao_Paulo';

/** What was made longer ago is no longer what a first start leaves: its notes of a moment ago can be cancelled for half an hour. */
const FRESH = 10 * 60_000;
/** When it was begun, and by which process: two begin in one millisecond where test files start together. */
const NAME = /^demo-(\d+)-\d+$/;

/** A data folder of one's own as a first start leaves it. Making the demo store takes seconds: the test files of a run copy the one that the first of them made. */
export async function newDemoFolder(): Promise<string> {
  const folder = folderOfRun();
  const made = (await madeLast(folder)) ?? (await make(folder));
  const own = await mkdtemp(join(tmpdir(), 'world-'));
  await cp(made, own, { recursive: true });
  return own;
}

/** Makes the demo store in a world, or finds it there. */
export async function demoOf({ service, dataDir, url }: World): Promise<Demo> {
  const { core } = service;
  const services = { ...core, ...core.engines, ...service, clock: systemClock(), dataDir };
  const demo = await ensureDemo(services, url, () => undefined);
  if (!demo) throw new Error('no demo store was made');
  return demo;
}

/** Removed after the last test file, with the service's document. */
function folderOfRun(): string {
  const document = process.env['SERVICE_DOCUMENT'];
  if (document === undefined) throw new Error('SERVICE_DOCUMENT names no file: run the tests by npm test');
  return dirname(document);
}

/** Of today and fresh, if there is one. */
async function madeLast(folder: string): Promise<string | undefined> {
  const now = Date.now();
  const name = (await readdir(folder)).find((one) => {
    const began = Number(NAME.exec(one)?.[1]);
    return now - began < FRESH && dayOf(began, STORE_ZONE) === dayOf(now, STORE_ZONE);
  });
  return name === undefined ? undefined : join(folder, name);
}

/** Two that make one at once do so without harm: each is whole when it gets its name. */
async function make(folder: string): Promise<string> {
  const began = Date.now();
  const world = await openWorld({ env: { DEMO: 'true' } });
  await demoOf(world);
  await world.close('keep');
  const path = join(folder, `demo-${String(began)}-${String(process.pid)}`);
  await rename(world.dataDir, path);
  return path;
}
