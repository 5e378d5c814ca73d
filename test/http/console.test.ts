import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConsoleFiles } from '../../src/http/console/console-files.js';
import type { World } from '../support/world.js';
import { openWorld } from '../support/world.js';

let folder: string;
let files: ConsoleFiles;
let withoutPages: World;

const request = (encodings?: string) => ({ headers: encodings === undefined ? {} : { 'accept-encoding': encodings } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html>page');
  for (const suffix of ['', '.br', '.gz'])
    await writeFile(join(folder, 'assets', `main-AB.js${suffix}`), `code${suffix}`);
  const opened = ConsoleFiles.open(folder);
  if (!opened) throw new Error('there is a page');
  files = opened;
  withoutPages = await openWorld({ env: { CONSOLE: 'false' } });
});
afterAll(async () => {
  await withoutPages.close();
  await rm(folder, { recursive: true, force: true });
});

const headersOf = (headers: readonly string[]) =>
  new Map(headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]] as const] : [])));

test('what carries a hash in its name is kept for ever, in the encoding that the browser takes', async () => {
  const best = await files.asset(request('gzip, deflate, br') as never, 'main-AB.js');
  expect(String(best.body)).toBe('code.br');
  expect(headersOf(best.headers)).toEqual(
    new Map([
      ['Content-Type', 'text/javascript; charset=utf-8'],
      ['Vary', 'Accept-Encoding'],
      ['Content-Encoding', 'br'],
      ['Cache-Control', 'public, max-age=31536000, immutable'],
    ]),
  );
  expect(String((await files.asset(request('gzip, br;q=0') as never, 'main-AB.js')).body)).toBe('code.gz');
  expect(String((await files.asset(request() as never, 'main-AB.js')).body)).toBe('code');
});

test('pages that are built anew beside the service are not mixed with those that it began with', async () => {
  await writeFile(join(folder, 'index.html'), '<!doctype html>of another build');
  expect(String((await files.page(request() as never)).body)).toBe('<!doctype html>page');
});

test('the icon is read from the disk once, however often it is asked for', async () => {
  const path = join(folder, 'icon.svg');
  await writeFile(path, '<svg/>');
  expect(String((await files.icon(request() as never)).body)).toBe('<svg/>');
  await rm(path);
  const again = await files.icon(request() as never);
  expect([String(again.body), headersOf(again.headers).get('Content-Type')]).toEqual(['<svg/>', 'image/svg+xml']);
});

test('nothing but what was built is given away', async () => {
  for (const name of ['../index.html', 'main-AB.js.br', 'other.js']) {
    await expect(files.asset(request() as never, name)).rejects.toThrow();
  }
});

test('the page allows no script but its own, nothing inline, and is asked for anew each time', async () => {
  const headers = headersOf((await files.page(request() as never)).headers);
  const policy = headers.get('Content-Security-Policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(headers.get('Cache-Control')).toBe('no-cache');
});

test('a folder without a page is none', () => {
  expect(ConsoleFiles.open(join(folder, 'assets'))).toBeUndefined();
});

test('CONSOLE=false leaves it out', async () => {
  for (const path of ['/', '/console/', '/console/hoje']) {
    expect([path, (await fetch(withoutPages.url + path)).status]).toEqual([path, 404]);
  }
});
