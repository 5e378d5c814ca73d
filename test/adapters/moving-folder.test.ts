import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { MovingFolder } from '../../src/adapters/embedded/backup/moving.js';
import { openEmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import { movedParts } from '../../src/adapters/embedded/moved-folder.js';
import { rowSeal } from '../../src/adapters/row-seal.js';
import { CHAIN_START, sealEvent } from '../../src/kernel/events/chain.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { newId } from '../../src/kernel/values/ids.js';
import { move } from '../../src/operations/move/move.js';
import type { StoredEvent } from '../../src/ports/event-store.js';
import { NO_STREAM } from '../../src/ports/event-store.js';
import { freshFolder, stopAll } from '../support/service-process.js';
import { storedEvents } from '../support/stored-log.js';

afterEach(stopAll);

const secretsKey = randomBytes(32);
const open = (dataDir: string) => openEmbeddedLog({ dataDir, secretsKey, clock: systemClock() });

/** Appends an event to a stream of its own. */
async function happen(dataDir: string, stream: string): Promise<void> {
  const log = await open(dataDir);
  const meta = {
    schemaVersion: 1,
    storeId: null,
    actor: SYSTEM,
    requestId: 'r',
    causationId: newId(0),
    at: '2026-01-01T00:00:00.000Z',
  };
  const { event } = sealEvent(CHAIN_START, { id: newId(Date.now()), type: 'Happened', data: {} }, meta);
  await log.eventStore.append(stream, NO_STREAM, [event]);
  await log.vault.write([{ kind: 'note', id: stream, value: stream, expected: 'absent', firstVersion: 1 }]);
  await log.close();
}

test('a move that dies before it has marked both log and vault has marked neither, and can be repeated', async () => {
  const dataDir = await freshFolder();
  await (await open(dataDir)).close();
  const died = new MovingFolder(dataDir, secretsKey, false);
  const log = died.logToMove();
  died.vaultToMove();
  await log.markMoved();
  died.close();
  const repeated = new MovingFolder(dataDir, secretsKey, false);
  const parts = [repeated.logToMove(), repeated.vaultToMove()];
  for (const part of parts) await part.markMoved();
  repeated.close();
  expect(movedParts(dataDir)).toEqual(new Set(['EVENTSTORE_URL', 'MONGODB_URL']));
});

/** Brings what lies in a folder into another, which tells the first one so unless one of its parts is away by then. */
async function bring(source: string, dataDir: string, away?: 'log' | 'vault', told: string[] = []): Promise<void> {
  const from = new MovingFolder(source, secretsKey, false);
  try {
    const to = new MovingFolder(dataDir, secretsKey, true);
    try {
      const telling = (part: 'log' | 'vault', of: { markMoved(): Promise<void> }) => () => {
        if (part === away) return Promise.reject(new Error('it is away'));
        told.push(part);
        return of.markMoved();
      };
      const [log, vault] = [from.logToMove(), from.vaultToMove()];
      await move({
        log: { from: { ...log, markMoved: telling('log', log) }, to: to.logTarget() },
        vault: { from: { ...vault, markMoved: telling('vault', vault) }, to: to.vaultTarget() },
        logId: from.followedLogId,
        seal: rowSeal(secretsKey),
        now: undefined,
        onProgress: () => undefined,
      });
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
}

const idsIn = async (dataDir: string) =>
  (await storedEvents(dataDir, secretsKey.toString('base64'))).map(({ id }) => id);

test('a move into a folder that broke off before it told where all came from is repeated with the same folder', async () => {
  const [source, dataDir] = [await freshFolder(), await freshFolder()];
  await happen(source, 'one');
  const ids = await idsIn(source);
  await expect(bring(source, dataDir, 'log')).rejects.toThrow('it is away');
  expect(movedParts(source).size).toBe(0);
  await bring(source, dataDir);
  expect(movedParts(source)).toEqual(new Set(['EVENTSTORE_URL', 'MONGODB_URL']));
  expect(await idsIn(dataDir)).toEqual(ids);
});

test('the log is told last, as one that was told refuses to be moved once more', async () => {
  const [source, dataDir] = [await freshFolder(), await freshFolder()];
  await happen(source, 'one');
  const told: string[] = [];
  await expect(bring(source, dataDir, 'vault', told)).rejects.toThrow('it is away');
  expect(told).toEqual([]);
  await bring(source, dataDir, undefined, told);
  expect(told).toEqual(['vault', 'log']);
});

test('it is refused where either side went on since, and nothing is lost', async () => {
  const [source, dataDir] = [await freshFolder(), await freshFolder()];
  await happen(source, 'one');
  await expect(bring(source, dataDir, 'log')).rejects.toThrow('it is away');
  await happen(source, 'two');
  await expect(bring(source, dataDir)).rejects.toThrow('its log is older than the servers’');
  await happen(dataDir, 'three');
  const ids = await idsIn(dataDir);
  await expect(bring(source, dataDir)).rejects.toThrow('the logs differ at the event');
  expect(await idsIn(dataDir)).toEqual(ids);
  expect(movedParts(source).size).toBe(0);
});

test('what was brought and is used already where it went is said to be there', async () => {
  const [source, dataDir] = [await freshFolder(), await freshFolder()];
  await happen(source, 'one');
  await expect(bring(source, dataDir, 'log')).rejects.toThrow('it is away');
  await happen(dataDir, 'two');
  await expect(bring(source, dataDir)).rejects.toThrow('it has gone on since where it went');
});

/** How far a reactor of the folder's vault is. */
async function reactorIn(dataDir: string): Promise<string | undefined> {
  const log = await open(dataDir);
  const row = await log.vault.get('reactor', 'one').finally(() => log.close());
  return (row?.value as { readonly position: string } | undefined)?.position;
}

test('a vault that stays is as it was until its log is on its server: reactors follow the log that they know', async () => {
  const dataDir = await freshFolder();
  await happen(dataDir, 'one');
  const log = await open(dataDir);
  const position = await log.eventStore.head();
  const value = { logId: log.eventStore.logId, position, fence: 1 };
  await log.vault.write([{ kind: 'reactor', id: 'one', value, expected: 'absent', firstVersion: 1 }]);
  await log.close();
  const folder = new MovingFolder(dataDir, secretsKey, false);
  const from = folder.logToMove();
  const there = (event: StoredEvent): StoredEvent => ({ ...event, position: `elsewhere ${event.position}` });
  const to = {
    begin: () => Promise.resolve(0),
    append: () => Promise.resolve(),
    async *pages() {
      for await (const page of from.pages(0)) yield page.map(there);
    },
    finish: () => Promise.reject(new Error('it is away')),
  };
  const moving = { log: { from, to }, vault: folder.vaultThatStays(), logId: from.logId, seal: rowSeal(secretsKey) };
  await expect(move({ ...moving, now: undefined, onProgress: () => undefined })).rejects.toThrow('it is away');
  folder.close();
  expect(await reactorIn(dataDir)).toBe(position);
});

/** Brings the vault alone from one folder into another that has its own log; `tell` is told where it came from. */
async function bringVault(source: string, dataDir: string, tell: () => Promise<void>): Promise<void> {
  const from = new MovingFolder(source, secretsKey, false);
  try {
    const to = new MovingFolder(dataDir, secretsKey, false);
    try {
      const vault = { from: { ...from.vaultToMove(), markMoved: tell }, to: to.vaultTarget() };
      await move({
        log: undefined,
        vault,
        logId: to.followedLogId,
        seal: rowSeal(secretsKey),
        now: undefined,
        onProgress: () => undefined,
      });
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
}

test('a vault alone that was brought, and its server not told, is told by a repeat; one that has gone on since is not touched', async () => {
  const [source, dataDir] = [await freshFolder(), await freshFolder()];
  await happen(source, 'one');
  await (await open(dataDir)).close();
  await expect(bringVault(source, dataDir, () => Promise.reject(new Error('it is away')))).rejects.toThrow(
    'it is away',
  );
  let told = 0;
  const tell = () => Promise.resolve(void (told += 1));
  await bringVault(source, dataDir, tell);
  expect(told).toBe(1);
  await happen(dataDir, 'two');
  await expect(bringVault(source, dataDir, tell)).rejects.toThrow('is not empty');
  await happen(source, 'three');
  await expect(bringVault(source, dataDir, tell)).rejects.toThrow('is not empty');
  expect(told).toBe(1);
});

test('a folder that holds another log is refused', async () => {
  const [source, dataDir] = [await freshFolder(), await freshFolder()];
  await happen(source, 'one');
  await happen(dataDir, 'one');
  await expect(bring(source, dataDir)).rejects.toThrow('is not empty');
});
