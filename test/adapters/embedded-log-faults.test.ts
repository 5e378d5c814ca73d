import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { DataFolderBusy } from '../../src/adapters/embedded/data-folder.js';
import type { EmbeddedLog, EmbeddedLogOptions } from '../../src/adapters/embedded/log/embedded-log.js';
import { openEmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import { LogFaults } from '../../src/adapters/embedded/log/faults.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { NO_STREAM, RowConflict, START, StoreUnavailable } from '../../src/ports/event-store.js';
import type { VaultWrite } from '../../src/ports/vault.js';
import { fill, ids, someEvents } from '../contract/event-store.js';
import { follow, seenAll } from '../contract/event-store-subscriptions.js';
import { startLogProcess } from '../support/embedded-log-process.js';
import { EmbeddedLogs } from '../support/embedded-logs.js';
import { until } from '../support/until.js';

const folders = new EmbeddedLogs((log) => log.eventStore);
const row = (id: string, expected: VaultWrite['expected'] = 'absent'): VaultWrite => {
  return { kind: 'thing', id, value: id, expected, firstVersion: 1 };
};
let options: EmbeddedLogOptions & { readonly faults: LogFaults };
let log: EmbeddedLog;

beforeEach(async () => {
  const dataDir = await folders.folder();
  options = { dataDir, secretsKey: randomBytes(32), clock: systemClock(), faults: new LogFaults() };
  log = await openEmbeddedLog(options);
});
afterEach(() => log.close());
afterAll(() => folders.dispose());

test('a data folder has one owner', async () => {
  await expect(openEmbeddedLog(options)).rejects.toBeInstanceOf(DataFolderBusy);
  const second = startLogProcess(options.dataDir, options.secretsKey, ['hold']);
  await second.ended;
  expect(second.lines.join('\n')).toContain(`the data folder ${options.dataDir} is in use by another process`);
});

test('the folder of a killed owner is free at once', async () => {
  const dataDir = await folders.folder();
  const owner = startLogProcess(dataDir, options.secretsKey, ['hold']);
  await until('the owner has the folder', () => owner.lines.includes('open'));
  await expect(openEmbeddedLog({ ...options, dataDir })).rejects.toThrow(dataDir);
  owner.child.kill('SIGKILL');
  await owner.ended;
  await (await openEmbeddedLog({ ...options, dataDir })).close();
});

test('another secrets key is refused at the start', async () => {
  await log.close();
  await expect(openEmbeddedLog({ ...options, secretsKey: randomBytes(32) })).rejects.toThrow('SECRETS_KEY');
  log = await openEmbeddedLog(options);
});

test('an append and its rows are written together or not at all', async () => {
  const { eventStore, vault } = log;
  const events = someEvents(2);
  await eventStore.append('s', NO_STREAM, events, [row('a'), row('b')]);
  await expect(eventStore.append('s', 1, someEvents(1), [row('c'), row('a')])).rejects.toBeInstanceOf(RowConflict);
  expect(await vault.get('thing', 'c')).toBeUndefined();
  expect(await eventStore.readStream('s', { limit: 10 })).toHaveLength(2);
  await expect(eventStore.append('s', 0, someEvents(1), [row('d')])).rejects.toMatchObject({
    name: 'RevisionConflict',
  });
  expect(await vault.get('thing', 'd')).toBeUndefined();
  await eventStore.append('s', NO_STREAM, events, [row('a'), row('b')]);
  expect(await vault.get('thing', 'a')).toMatchObject({ version: 1 });
});

test('a conflict in a group leaves the others of the group alone', async () => {
  const appends = Array.from({ length: 100 }, (_, at) =>
    log.eventStore.append(`s${at % 50}`, NO_STREAM, someEvents(1), [row(`r${at % 25}`, at < 25 ? 'absent' : 'any')]),
  );
  const outcomes = await Promise.allSettled(appends);
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(outcomes.map((_, at) => at < 50));
  expect(await log.vault.get('thing', 'r0')).toMatchObject({ version: 2 });
});

test('a full disk refuses appends, lets reads go on, and is forgotten when there is space', async () => {
  const { eventStore, vault } = log;
  const written = await fill(eventStore, 's', 10);
  const { seen, subscription } = follow(eventStore, START, new Set(['s', 't']));
  options.faults.set('beforeCommit', 'fail');
  const refused = [
    eventStore.append('s', 9, someEvents(1)),
    eventStore.append('t', NO_STREAM, someEvents(1), [row('a')]),
  ];
  for (const outcome of await Promise.allSettled([...refused, vault.write([row('b')])])) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailable', unknown: false } });
  }
  expect(ids(await eventStore.readStream('s', { limit: 100 }))).toEqual(written);
  options.faults.set('beforeCommit', 'none');
  const later = someEvents(2);
  await eventStore.append('t', NO_STREAM, later, [row('a')]);
  await seenAll(seen, 12);
  await subscription.stop();
  expect(seen).toEqual([...written, ...ids(later)]);
  expect(await eventStore.head()).toBe('0000000000000012');
  expect(await vault.get('thing', 'b')).toBeUndefined();
});

test.each([
  ['beforeCommit', false],
  ['afterCommit', true],
] as const)('a log worker that ends %s is replaced, and the append can be repeated', async (point, kept) => {
  const { eventStore } = log;
  const { seen, subscription } = follow(eventStore, START, new Set(['s']));
  const written = await fill(eventStore, 's', 10);
  const events = someEvents(3);
  options.faults.set(point, 'endWorker');
  await expect(eventStore.append('s', 9, events)).rejects.toMatchObject({ name: 'StoreUnavailable', unknown: true });
  options.faults.set(point, 'none');
  await until('the log takes appends again', () =>
    log.vault.write([row('probe', 'any')]).catch((error: unknown) => {
      expect(error).toBeInstanceOf(StoreUnavailable);
      return false;
    }),
  );
  expect(await eventStore.readStream('s', { limit: 100 })).toHaveLength(kept ? 13 : 10);
  expect(await eventStore.append('s', 9, events)).toMatchObject({ revision: 12 });
  await seenAll(seen, 13);
  await subscription.stop();
  expect(seen).toEqual([...written, ...ids(events)]);
});

test('what is asked before the end is answered, what is asked after it is refused', async () => {
  const { eventStore, vault } = log;
  const asked = Array.from({ length: 300 }, (_, at) => eventStore.append(`s${at}`, NO_STREAM, someEvents(1)));
  await log.close();
  await Promise.all(asked);
  const late = { name: 'StoreUnavailable', unknown: false };
  await expect(eventStore.append('late', NO_STREAM, someEvents(1))).rejects.toMatchObject(late);
  await expect(eventStore.readAll(START, 1)).rejects.toMatchObject(late);
  await expect(vault.get('thing', 'a')).rejects.toMatchObject(late);
});

test('a log whose worker is being replaced can be closed', async () => {
  options.faults.set('afterCommit', 'endWorker');
  await expect(log.eventStore.append('s', NO_STREAM, someEvents(1))).rejects.toMatchObject({ unknown: true });
  options.faults.set('afterCommit', 'none');
  await log.close();
  log = await openEmbeddedLog(options);
  expect(await log.eventStore.readStream('s', { limit: 10 })).toHaveLength(1);
});
