import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { freshFolder, stopAll } from './support/service-process.js';

afterEach(stopAll);

const { rmSync, lstatSync } = fs;

/** A file that goes between the look at its folder and the look at it. */
const GONE = 'events.db-wal';
jest.unstable_mockModule('node:fs', () => ({
  ...fs,
  lstatSync(path: string) {
    if (path.endsWith(GONE)) rmSync(path);
    return lstatSync(path);
  },
}));
const { closeDataFolder } = await import('../src/private-folder.js');

test('a data folder is closed to others whole, also where a file goes meanwhile', async () => {
  const folder = await freshFolder();
  for (const name of [GONE, 'secrets.json']) {
    fs.writeFileSync(join(folder, name), '');
    fs.chmodSync(join(folder, name), 0o644);
  }
  fs.chmodSync(folder, 0o755);
  closeDataFolder(folder, { logger: pino({ level: 'silent' }), production: true });
  expect(fs.readdirSync(folder)).toEqual(['secrets.json']);
  expect(lstatSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
});
