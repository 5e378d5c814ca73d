// What answers hold is looked at member by member.
/* eslint-disable @typescript-eslint/no-unsafe-return */
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sealEvent } from '../../src/kernel/events/chain.js';
import type { EventMeta } from '../../src/kernel/events/event.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

const run = promisify(execFile);

let world: World;
let store: StoreClient;
let folder: string;
let checkpoint: string;
let key: string;

async function audit(...words: readonly string[]) {
  const env = { ...process.env, DATA_DIR: world.dataDir, NODE_OPTIONS: '' };
  const found = await run(process.execPath, ['dist/scripts/audit.js', ...words], { env }).catch(
    (error: unknown) => error as { readonly stdout: string; readonly stderr: string; readonly code: number },
  );
  return { code: 'code' in found ? found.code : 0, out: found.stdout, err: found.stderr };
}

const verified = async (...words: readonly string[]) => {
  const { out } = await audit('verify', ...words);
  return JSON.parse(out);
};

beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  for (let index = 0; index < 20; index++) await store.call('POST', '/brands', { name: `Marca ${index}` });
  folder = await mkdtemp(join(tmpdir(), 'auditor-'));
  checkpoint = join(folder, 'checkpoint.json');
  await writeFile(checkpoint, (await store.call('GET', '/audit/checkpoint')).text);
  ({ publicKey: key } = (await store.call('GET', '/.well-known/store-management-audit-key')).body);
  for (let index = 0; index < 5; index++) await store.call('POST', '/brands', { name: `Nova ${index}` });
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

test('an untouched log is whole, and begins with what a kept checkpoint says', async () => {
  const found = await verified('--checkpoint', checkpoint, '--key', key);
  expect(found).toMatchObject({ ok: true, checkpoint: { ok: true } });
  expect(found.rootHash).toBe((await store.call('GET', '/audit/checkpoint')).body.rootHash);
});

test('the events of a store are exported as they are stored', async () => {
  const { out, err } = await audit('export', '--store', store.slug);
  const events = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.filter(({ type }) => type === 'BrandCreated')).toHaveLength(25);
  expect(events.every(({ meta }) => meta.storeId === store.storeId)).toBe(true);
  expect(JSON.parse(err)).toMatchObject({ events: events.length, storeId: store.storeId });
});

test('an export holds what the log holds, byte for byte, of the wanted store and time alone', async () => {
  const other = await world.newStore();
  await other.call('POST', '/brands', { name: 'Fremde “Marke”\u007f' });
  const database = new DatabaseSync(join(world.dataDir, 'events.db'), { readOnly: true });
  const rows = database
    .prepare(
      `select events.id, name as stream, revision, position, type, data, meta from events join streams on streams.id = stream order by position`,
    )
    .all() as {
    id: string;
    stream: string;
    revision: number;
    position: number;
    type: string;
    data: string;
    meta: string;
  }[];
  database.close();
  const metaOf = ({ meta }: { readonly meta: string }) => JSON.parse(meta) as EventMeta;
  const moments = rows.filter((row) => metaOf(row).storeId === other.storeId).map((row) => metaOf(row).at);
  const [first = '', last = ''] = [moments.at(0), moments.at(-1)];
  const lines = (storeId: string, from: string, to: string) =>
    rows
      .filter((row) => metaOf(row).storeId === storeId && metaOf(row).at >= from && metaOf(row).at <= to)
      .map(({ data, meta, position, ...rest }) => {
        const { id, stream, revision, type } = rest;
        const head = { id, stream, revision, position: String(position).padStart(16, '0'), type };
        return `${JSON.stringify(head).slice(0, -1)},"data":${data},"meta":${meta}}\n`;
      })
      .join('');
  const whole = await audit('export', '--store', other.slug);
  expect(whole.out).toBe(lines(other.storeId, first, last));
  expect(JSON.parse(whole.err)).toMatchObject({ sha256: hash('sha256', whole.out), size: rows.length });
  const until = await audit('export', '--store', other.slug, '--to', first);
  expect(until.out).toBe(lines(other.storeId, first, first));
  const none = await audit('export', '--store', other.slug, '--to', '2020-01-01');
  expect([none.out, JSON.parse(none.err).events]).toEqual(['', 0]);
});

test('each line of an export follows from what it says and from the line before it in its stream', async () => {
  const { out } = await audit('export', '--store', store.slug);
  const before = new Map<string, string>();
  for (const line of out.trimEnd().split('\n')) {
    const [, data = '', meta = '', own] = /"data":(\{.*\}),"meta":(\{.*),"hash":"(\w+)"\}\}$/.exec(line) ?? [];
    const { id, type, stream, revision } = JSON.parse(line) as Record<'id' | 'type' | 'stream', string> & {
      readonly revision: number;
    };
    const previous = revision === 0 ? '' : before.get(stream);
    expect(hash('sha256', [previous, id, type, data, `${meta}}`].join('\n'))).toBe(own);
    before.set(stream, own ?? '');
  }
  expect(before.size).toBeGreaterThan(2);
});

test('a day of an export is one of the store', async () => {
  // Where it is another day now than in UTC.
  const timeZone = new Date().getUTCHours() >= 11 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';
  const today = () => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format();
  const first = today();
  const other = await world.newStore();
  expect((await other.call('PATCH', '/store', { timeZone })).status).toBe(200);
  // Its midnight may come in between.
  const last = today();
  const whole = await audit('export', '--store', other.slug);
  expect((await audit('export', '--store', other.slug, '--from', first, '--to', last)).out).toBe(whole.out);
});

test('a proof is checked without the service', async () => {
  const { body } = await store.call('GET', '/audit/events?type=BrandCreated&limit=1');
  const proof = (await store.call('GET', `/audit/proofs/${body.items[0].id}`)).text;
  const file = join(folder, 'proof.json');
  await writeFile(file, proof);
  expect(JSON.parse((await audit('check-proof', file, '--key', key)).out)).toEqual({ ok: true });
  for (const other of [proof.replace('Marca', 'Outra'), proof.replace(/"leafIndex":\d+/, '"leafIndex":0')]) {
    expect(other).not.toBe(proof);
    await writeFile(file, other);
    const wrong = await audit('check-proof', file, '--key', key);
    expect([wrong.code, JSON.parse(wrong.out).ok]).toEqual([1, false]);
  }
  // As the first releases answered: what the event says could be anything.
  await writeFile(file, JSON.stringify({ ...JSON.parse(proof), previousHash: undefined }));
  const old = await audit('check-proof', file, '--key', key);
  expect([old.code, old.err]).toEqual([1, `${file} holds no answer of GET /audit/proofs/{eventId} (previousHash)\n`]);
});

test('a file that holds no answer of the service is named', async () => {
  const file = join(folder, 'wrong.json');
  const missing = await audit('check-proof', file);
  expect([missing.code, missing.err]).toEqual([1, `${file} cannot be read (ENOENT)\n`]);
  await writeFile(file, 'size: 3');
  const proof = await audit('check-proof', file);
  expect([proof.code, proof.err]).toEqual([1, `${file} holds no answer of GET /audit/proofs/{eventId}\n`]);
  await writeFile(file, '{"size":"3"}');
  const checkpoint = await audit('verify', '--checkpoint', file);
  expect([checkpoint.code, checkpoint.err]).toEqual([1, `${file} holds no answer of GET /audit/checkpoint (logId)\n`]);
});

test.each([
  [[]],
  [['export']],
  [['dance']],
  [['check-proof']],
  [['verify', '--proof', 'file']],
  [['verify', '--key', 'AAAA']],
  [['verify', '--key', 'A'.repeat(43)]],
  [['verify', '--store', 'demo']],
  [['check-proof', 'file', '--checkpoint', 'file']],
  [['export', '--store']],
  [['export', '--store', 'demo', '--to', 'soon']],
  [['export', '--store', 'demo', '--from', '2026-02-30']],
])('%j is answered with the usage', async (words) => {
  const { code, err } = await audit(...words);
  expect([code, err.includes('\nusage:'), err.includes('    at ')]).toEqual([2, true, false]);
});

describe('a database that its owner changed', () => {
  /** Changes the log behind the service's back, looks, and puts everything back. */
  async function changed(sql: string, look: () => Promise<void>): Promise<void> {
    const database = new DatabaseSync(join(world.dataDir, 'events.db'));
    database.exec('pragma busy_timeout = 5000');
    const rows = database.prepare('select * from events').all() as Record<string, string | number>[];
    try {
      database.exec(sql);
      await look();
    } finally {
      database.exec('delete from events');
      const put = database.prepare('insert into events values (?, ?, ?, ?, ?, ?, ?)');
      for (const { position, stream, revision, id, type, data, meta } of rows) {
        put.run(position, stream, revision, id, type, data, meta);
      }
      database.close();
    }
  }

  test('an event that was edited is named', () =>
    changed(`update events set data = replace(data, 'Marca 7', 'Marca X') where data like '%Marca 7%'`, async () => {
      const found = await verified('--checkpoint', checkpoint);
      expect(found).toMatchObject({ ok: false, firstBreak: { reason: 'it is not what was recorded', revision: 7 } });
    }));

  test.each([
    ['bytes in place of text', `data = cast(data as blob)`],
    ['metadata that is no JSON', `meta = 'nothing'`],
    ['no hash', `meta = json_remove(meta, '$.hash')`],
  ])('an event with %s is named', (_, change) =>
    changed(`update events set ${change} where data like '%Marca 7%'`, async () => {
      const { firstBreak } = await verified();
      expect(firstBreak).toMatchObject({ reason: 'it is not what was recorded', revision: 7 });
    }),
  );

  test('an event that was taken out is named', () =>
    changed(`delete from events where data like '%Marca 7%'`, async () => {
      const found = await verified('--checkpoint', checkpoint);
      expect(found).toMatchObject({ ok: false, firstBreak: { reason: 'an event is missing before it', revision: 8 } });
    }));

  /** The stream that ended before all others; the log goes on. */
  const END = '(select min(last) from (select max(position) as last from events group by stream))';

  test('where the end of a stream was taken out, the event after it in the log is named', () =>
    changed(`delete from events where position = ${END}`, async () => {
      const { ok, firstBreak } = await verified();
      expect({ ok, reason: firstBreak?.reason }).toEqual({ ok: false, reason: 'an event is missing before it' });
    }));

  test('an event whose stream has no name is named by its position', () =>
    changed(`update events set stream = 999999, revision = 0 where position = ${END}`, async () => {
      const { firstBreak } = await verified();
      expect(firstBreak).toMatchObject({ reason: 'it is not what was recorded', stream: '' });
    }));

  test('a log that was cut at its end is found against the checkpoint', () =>
    changed(
      `delete from events where position >= (select position from events where data like '%Marca 19%')`,
      async () => {
        const found = await verified('--checkpoint', checkpoint);
        expect(found.firstBreak).toBeUndefined();
        expect(found).toMatchObject({ ok: false, checkpoint: { ok: false } });
        // Once an hour the service may keep the day's own, which would tell of it.
        await rm(join(world.dataDir, 'checkpoints'), { recursive: true, force: true });
        expect((await verified()).ok).toBe(true);
      },
    ));

  test('a log that was cut at its end is found against the checkpoint of a day that lies beside it', async () => {
    const days = join(world.dataDir, 'checkpoints');
    await mkdir(days, { recursive: true });
    const file = join(days, '2026-01-31.json');
    const ofAnother = join(days, '2026-02-28.json');
    const known = JSON.parse(await readFile(checkpoint, 'utf8')) as { size: number };
    await writeFile(file, JSON.stringify(known));
    await writeFile(ofAnother, JSON.stringify({ ...known, logId: 'another', size: 1_000_000 }));
    const { size } = known;
    try {
      const { ok, dailyCheckpoints } = await verified();
      expect([ok, dailyCheckpoints?.ok]).toEqual([true, true]);
      await changed(`delete from events where position >= ${END} - 8`, async () => {
        const reason = expect.stringMatching(/^the log has lost events: it had \d+ and has \d+$/);
        expect(await verified()).toMatchObject({ ok: false, dailyCheckpoints: { size, ok: false, reason } });
      });
    } finally {
      await Promise.all([file, ofAnother].map((path) => rm(path)));
    }
  });

  test('an event that was edited with all hashes after it is found against the checkpoint', async () => {
    const database = new DatabaseSync(join(world.dataDir, 'events.db'), { readOnly: true });
    const rows = database
      .prepare(`select position, id, type, data, meta from events where type = 'BrandCreated' order by position`)
      .all() as { position: number; id: string; type: string; data: string; meta: string }[];
    database.close();
    let previous = '';
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
    const statements = rows.map(({ position, id, type, data, meta }) => {
      const { hash: _, ...rest } = JSON.parse(meta) as EventMeta;
      const sealed = sealEvent(previous, { id, type, data: JSON.parse(data.replace('Marca 7', 'Marca X')) }, rest);
      previous = sealed.hash;
      const { event } = sealed;
      return `update events set data = ${quoted(event.data)}, meta = ${quoted(event.meta)} where position = ${String(position)}`;
    });
    await changed(statements.join(';'), async () => {
      const found = await verified('--checkpoint', checkpoint);
      expect(found.firstBreak).toBeUndefined();
      expect(found).toMatchObject({ ok: false, checkpoint: { ok: false } });
    });
  });
});
