import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import { firstLine } from '../../scripts/password-input.js';
import { callStore } from '../support/category-load.js';
import { mailsTo } from '../support/outbox.js';
import { freshFolder, linesOf, startProgram, startService, stopAll } from '../support/service-process.js';
import { until } from '../support/until.js';

afterEach(stopAll);

const USER = ['--username', 'maria', '--email', 'maria@aurora.example', '--password', 'umafrasebemlonga'];
const CREATE = ['store', 'create', '--slug', 'aurora', '--name', 'Padaria Aurora', ...USER];

async function administer(dataDir: string, ...words: readonly string[]) {
  const program = startProgram('scripts/admin.js', words, { DATA_DIR: dataDir, TMPDIR: '/tmp' });
  const { code } = await program.ended;
  return { code, out: program.out, err: linesOf(program.err) };
}

/** The single line that a command prints. */
const resultOf = (out: string): Record<string, string> => {
  expect(linesOf(out)).toHaveLength(1);
  return JSON.parse(out) as Record<string, string>;
};

async function longFolder(): Promise<string> {
  const dataDir = join(await freshFolder(), ...Array.from({ length: 4 }, () => 'a'.repeat(50)));
  await mkdir(dataDir, { recursive: true });
  return dataDir;
}

describe.each([
  ['a data folder', freshFolder],
  ['one whose path is longer than a socket may have', longFolder],
])('the administration command line on %s', (_, folder) => {
  test('makes stores and keys without the service and beside it', async () => {
    const dataDir = await folder();
    const made = await administer(dataDir, ...CREATE);
    expect(made).toMatchObject({ code: 0, err: [] });
    expect(resultOf(made.out)).toEqual({ storeId: expect.any(String), slug: 'aurora', userId: expect.any(String) });

    const service = await startService(dataDir, { TMPDIR: '/tmp' });
    const created = await administer(dataDir, 'api-key', 'create', '--store', 'aurora', '--name', 'Caixa');
    expect(created).toMatchObject({ code: 0, err: [] });
    const { key = '' } = resultOf(created.out);
    expect((await callStore(service.url, { slug: 'aurora', key }, 'GET', '/categories')).status).toBe(200);

    const taken = await administer(dataDir, ...CREATE.map((word) => word.replace('maria', 'joao')));
    expect(taken).toEqual({ code: 1, out: '', err: ['Another store has this slug'] });
  });
});

test.each([
  ['scripts/admin.js', ['--help'], 'user reset'],
  ['scripts/admin.js', ['store', 'create', '--help'], 'store create --slug'],
  ['scripts/projections.js', ['-h'], 'rebuild NAME'],
  ['scripts/large-store.js', ['--help'], '--orders N'],
  ['scripts/new-feature.js', ['--help'], 'PLURAL'],
])('%s %j says how it is used', async (script, words, expected) => {
  const program = startProgram(script, words, {});
  expect(await program.ended).toEqual({ code: 0, signal: null });
  expect(program.out).toContain(expected);
  expect(program.err).toBe('');
});

test('a large store that is asked for wrongly is not begun: usage and exit code 2', async () => {
  const program = startProgram('scripts/large-store.js', ['--data-dir', await freshFolder(), '--day', '1'], {});
  expect(await program.ended).toEqual({ code: 2, signal: null });
  expect(linesOf(program.err).slice(0, 2)).toEqual([
    expect.stringContaining("'--day'"),
    expect.stringContaining('usage: npm run -s large-store'),
  ]);
});

test('a large store is built in its folder alone, whatever servers and addresses the settings name', async () => {
  const dataDir = await freshFolder();
  const settings = {
    MONGODB_URL: 'mongodb://127.0.0.1:1/store',
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://a.example',
  };
  const program = startProgram('scripts/large-store.js', ['--data-dir', dataDir, '--events', '1000'], settings);
  expect(await program.ended).toEqual({ code: 0, signal: null });
  expect(resultOf(program.out)).toMatchObject({ slug: 'large' });
  expect(existsSync(join(dataDir, 'events.db'))).toBe(true);
});

test('a password may come by standard input', async () => {
  const dataDir = await freshFolder();
  const words = CREATE.slice(0, -2);
  const program = startProgram('scripts/admin.js', words, { DATA_DIR: dataDir }, 'umafrasebemlonga\n');
  expect(await program.ended).toEqual({ code: 0, signal: null });
  expect(resultOf(program.out)).toMatchObject({ slug: 'aurora' });
  const nothing = startProgram('scripts/admin.js', words, { DATA_DIR: dataDir }, '');
  expect((await nothing.ended).code).toBe(2);
  expect(nothing.err).toContain('password is required');
});

test('a password is not waited for where something else is wrong, nor for ever', async () => {
  const { code, err } = await administer(await freshFolder(), 'store', 'create');
  expect({ code, err: err[0] }).toEqual({ code: 2, err: 'slug is required' });
  expect(await firstLine(new PassThrough(), 10)).toBeUndefined();
});

test('wrong usage is answered with the usage, and touches nothing', async () => {
  const dataDir = join(await freshFolder(), 'unmade');
  const { code, out, err } = await administer(dataDir, ...CREATE, '--colour', 'red');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err[0]).toContain('colour');
  expect(err).toContain('usage:');
  expect(existsSync(dataDir)).toBe(false);
});

test.each([
  [{ HOST: '0.0.0.0' }, 'localhost'],
  [{ HOST: '::1' }, '[::1]'],
])('links in mails of the command line lead to what the service listens on: %j', async (where, host) => {
  const dataDir = await freshFolder();
  const service = await startService(dataDir, where);
  expect(service.url).toBe(`http://${host}:${String(service.port)}`);
  await administer(dataDir, ...CREATE);
  const other = (word: string) => word.replace('maria', 'joao').replace('aurora', 'boreal');
  expect(await administer(dataDir, ...CREATE.map(other))).toMatchObject({ code: 0 });
  const again = USER.map((word) => (word === 'maria' ? 'maria2' : word));
  const joining = await administer(dataDir, 'user', 'create', '--store', 'boreal', ...again, '--role', 'MANAGER');
  expect(joining).toMatchObject({ code: 0 });
  await until('the invitation is there', async () => (await mailsTo(dataDir, 'maria@aurora.example')).length > 0);
  const [mail] = await mailsTo(dataDir, 'maria@aurora.example');
  expect(mail?.text).toContain(`http://${host}:${String(service.port)}/console/`);
  expect(service.out).not.toContain('PUBLIC_URL');
});

test('whose mail leaves the machine is told to say where links lead', async () => {
  const { out } = await startService(await freshFolder(), { SMTP_URL: 'smtp://127.0.0.1:9' });
  expect(out).toContain('set PUBLIC_URL');
});
