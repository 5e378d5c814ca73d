import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { keepCheckpointOfDay } from '../../src/features/audit/verification/daily-checkpoint.js';
import { CheckpointFolder } from '../../src/adapters/checkpoint-folder.js';
import { VerificationWatch } from '../../src/features/audit/verification/verification-watch.js';
import { Walk } from '../../src/features/audit/verification/verifier.js';
import { LogTree } from '../../src/features/audit/proof/log-tree.js';
import { SigningKey } from '../../src/features/audit/proof/signing-key.js';
import { sealEvent } from '../../src/kernel/events/chain.js';
import type { EventMeta } from '../../src/kernel/events/event.js';
import { isSigned, checkpointFile } from '../../scripts/audit/proof-check.js';
import { MemoryVault } from '../support/memory-vault.js';
import { SetClock } from '../support/people.js';
import { UnreliableVault } from '../support/unreliable-vault.js';
import { openWorld } from '../support/world.js';

/** The check of the log that goes on by itself, and the checkpoints that are kept beside it. */

interface Verified {
  readonly size: number;
  readonly verifiedSize: number;
  readonly ok: boolean;
  readonly firstBreak?: { readonly reason: string; readonly stream?: string; readonly revision?: number };
}

const world = await openWorld({ env: { ROLES: 'api,projections' } });
afterAll(() => world.close());
const store = await world.newStore();
for (let index = 0; index < 130; index++) await store.call('POST', '/brands', { name: `Marca ${String(index)}` });

const folder = () => join(world.dataDir, 'checkpoints');

function services() {
  const { engines } = world.service.core;
  const { eventStore, reads, vault } = engines;
  const tree = new LogTree(reads, eventStore);
  const checkpoints = new CheckpointFolder(folder());
  return { ...engines, clock: { now: () => Date.now() }, tree, key: new SigningKey(vault), checkpoints };
}

/** Goes through the whole log once. */
async function checkAll(known = 0): Promise<void> {
  const walk = new Walk(services(), { verifiedSize: known, at: '', ok: true });
  for (let atEnd = false; !atEnd && !walk.broken;) atEnd = await walk.step();
  if (!walk.broken) await walk.note();
}

const verified = async (client = store): Promise<Verified> => {
  const { status, body } = await client.call('GET', '/audit/verification');
  expect(status).toBe(200);
  return body as Verified;
};

test('nothing is verified before it began', async () => {
  expect(await verified()).toMatchObject({ verifiedSize: 0, at: null, ok: true });
});

test('a whole log is verified to its end', async () => {
  await checkAll();
  const { size, verifiedSize, ok } = await verified();
  expect([ok, verifiedSize]).toEqual([true, size]);
});

test('a log that is gone through again is as far verified as before', async () => {
  const walk = new Walk(services(), { verifiedSize: 120, at: '', ok: true });
  await walk.step();
  await walk.note();
  expect(await verified()).toMatchObject({ ok: true, verifiedSize: 120 });
});

test('a log that was broken counts as whole again once a walk came past the break', async () => {
  const before = await verified();
  const firstBreak = { reason: 'it is not what was recorded', stream: '', revision: 0, position: '' };
  const broken = { verifiedSize: 1_000_000, at: '2026-03-02T12:00:00.000Z', ok: false, firstBreak };
  const kind = 'audit-verification';
  const { vault } = world.service.core.engines;
  await vault.write([{ kind, id: 'installation', value: broken, expected: 'any' }]);
  const watch = new VerificationWatch({ vault });
  const registry = new Registry();
  watch.register(registry);
  await watch.look();
  expect(watch.status()).toEqual({ ok: false });
  expect(await registry.metrics()).toMatch(/^audit_log_whole 0$/m);
  const walk = new Walk(services(), broken);
  await walk.step();
  await walk.note();
  expect((await verified()).ok).toBe(false);
  const beyond = new Walk(services(), { ...broken, verifiedSize: 1 });
  await beyond.step();
  await beyond.note();
  await watch.look();
  expect([(await verified()).ok, watch.status()]).toEqual([true, { ok: true }]);
  expect((await verified()).size).toBe(before.size);
});

/** What a walk with other services finds wrong; undefined where that is nothing. */
async function breakFound(others: Partial<ReturnType<typeof services>>): Promise<string | undefined> {
  const walk = new Walk({ ...services(), vault: new MemoryVault(), ...others }, undefined);
  for (let atEnd = false; !atEnd && !walk.broken;) atEnd = await walk.step();
  return walk.broken?.reason;
}

test('a tree that proofs are made of must be that of the events, as far as it has come', async () => {
  const { reads, eventStore } = services();
  const treeWith = (change: (body: string) => string) => {
    const getMany = async (...asked: Parameters<typeof reads.getMany>) =>
      (await reads.getMany(...asked)).map((record) => ({ ...record, body: change(record.body) }));
    return new LogTree({ ...reads, get: reads.get.bind(reads), getMany }, eventStore);
  };
  const spoilt = treeWith((body) =>
    body.replace(/"hashes":"./, (start) => start.slice(0, -1) + (start.endsWith('A') ? 'B' : 'A')),
  );
  expect(await breakFound({ tree: treeWith((body) => body) })).toBeUndefined();
  expect(await breakFound({ tree: spoilt })).toBe('the tree of the proofs is not that of the events');
  const size = await spoilt.presentSize();
  expect([await spoilt.rootAt(size + 1), (await spoilt.rootAt(size))?.length]).toEqual([undefined, 64]);
});

test('events that a checkpoint counted must still be there', async () => {
  const { logId } = world.service.core.engines.eventStore;
  const kept = { logId, size: 1_000_000, rootHash: '', at: '2026-03-01T12:00:00.000Z', signature: '' };
  const found = (checkpoint: typeof kept) => {
    const { checkpoints } = services();
    checkpoints.all = () => Promise.resolve([checkpoint]);
    return breakFound({ checkpoints });
  };
  expect(await found(kept)).toBe('the log has lost events since the checkpoint of 2026-03-01T12:00:00.000Z');
  expect(await found({ ...kept, logId: 'another' })).toBeUndefined();
});

describe('of a day', () => {
  const clock = new SetClock();
  const mails: { readonly id: string; readonly subject: string; readonly text: string }[] = [];
  const keep = (others: Partial<ReturnType<typeof services>> = {}) => {
    const row = (mail: (typeof mails)[number]) => {
      mails.push(mail);
      return { kind: 'test-mail', id: mail.id, value: {}, expected: 'any' as const };
    };
    const { eventStore } = world.service.core.engines;
    const mail = { row, wake: () => undefined };
    const own = { ...services(), ...others, clock, logId: eventStore.logId, mail };
    return keepCheckpointOfDay({ ...own, mailTo: 'auditor@fora.example' });
  };
  beforeEach(() => keep());

  test('one checkpoint is kept in a file and sent by mail, once', async () => {
    await keep();
    const [name = '', ...more] = await readdir(folder());
    expect([name, more]).toEqual(['2026-03-02.json', []]);
    const kept = checkpointFile.parse(JSON.parse(await readFile(join(folder(), name), 'utf8')));
    const { publicKey } = (await store.call('GET', '/.well-known/store-management-audit-key')).body as {
      readonly publicKey: string;
    };
    expect(isSigned(kept, publicKey)).toBe(true);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(JSON.stringify(kept));
  });

  test('the next day has its own', async () => {
    clock.wait(24 * 3_600_000);
    await keep();
    expect(await readdir(folder())).toEqual(['2026-03-02.json', '2026-03-03.json']);
    expect(new Set(mails.map(({ id }) => id)).size).toBe(2);
  });

  test('its mail is sent after a crash between its rows, where they are stored one by one', async () => {
    clock.wait(24 * 3_600_000);
    const vault = new UnreliableVault(new MemoryVault(() => clock.now()), false);
    vault.failAfterRows = 1;
    await expect(keep({ vault })).rejects.toThrow('the connection broke');
    await keep({ vault });
    expect(await vault.get('test-mail', mails.at(-1)?.id ?? '')).toBeDefined();
  });
});

describe('a database that its owner changed', () => {
  /** Changes the log behind the service's back, has it checked, and puts everything back. */
  async function changed(change: (database: InstanceType<typeof DatabaseSync>) => void): Promise<Verified> {
    const database = new DatabaseSync(join(world.dataDir, 'events.db'));
    database.exec('pragma busy_timeout = 5000');
    const rows = database.prepare('select * from events').all() as Record<string, string | number>[];
    try {
      change(database);
      await checkAll();
      return await verified();
    } finally {
      database.exec('delete from events');
      const columns = Object.keys(rows[0] ?? {});
      const put = database.prepare(
        `insert into events (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      );
      for (const row of rows) put.run(...Object.values(row));
      database.close();
    }
  }

  test('is told what event is not what was recorded', async () => {
    const found = await changed((database) => {
      database.exec(`update events set data = replace(data, 'Marca 7"', 'Marca X"') where data like '%Marca 7"%'`);
    });
    expect(found).toMatchObject({ ok: false, firstBreak: { reason: 'it is not what was recorded', revision: 7 } });
    const stranger = await world.newStore();
    expect((await verified(stranger)).firstBreak).not.toHaveProperty('stream');
  });

  test('is told that an event is missing', async () => {
    const found = await changed((database) => {
      database.exec(`delete from events where data like '%Marca 7"%'`);
    });
    expect(found).toMatchObject({ ok: false, firstBreak: { reason: 'an event is missing before it', revision: 8 } });
  });

  test('is found out by an old checkpoint when the chain was made anew', async () => {
    const found = await changed((database) => {
      const rows = database
        .prepare(`select position, id, type, data, meta from events where type = 'BrandCreated' order by position`)
        .all() as { position: number; id: string; type: string; data: string; meta: string }[];
      let previous = '';
      const put = database.prepare('update events set data = ?, meta = ? where position = ?');
      for (const { position, id, type, data, meta } of rows) {
        const edited = JSON.parse(data.replace('"Marca 7"', '"Marca X"')) as unknown;
        const { hash: _, ...rest } = JSON.parse(meta) as EventMeta;
        const { event, hash } = sealEvent(previous, { id, type, data: edited }, rest);
        put.run(event.data, event.meta, position);
        previous = hash;
      }
    });
    expect(found.ok).toBe(false);
    expect(found.firstBreak?.reason).toBe(
      'the events up to it are not those of the checkpoint of 2026-03-02T12:00:00.000Z',
    );
  });

  test('is found out when a stream was cut at its end', async () => {
    const found = await changed((database) => {
      database.exec(`delete from events where data like '%Marca 129"%'`);
    });
    expect(found.firstBreak?.reason).toMatch(/lost events|not those of the checkpoint/);
  });

  test('is whole again when everything was put back', async () => {
    await checkAll();
    expect(await verified()).toMatchObject({ ok: true });
  });
});
