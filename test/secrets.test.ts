import { readdirSync } from 'node:fs';
import * as files from 'node:fs/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { parseConfig } from '../src/config.js';
import { freshFolder, stopAll } from './support/service-process.js';

afterEach(stopAll);

let refusal: object = {};
jest.unstable_mockModule('node:fs/promises', () => ({
  ...files,
  link: () => Promise.reject(Object.assign(new Error('link'), { syscall: 'link', ...refusal })),
}));
const { loadSecrets } = await import('../src/secrets.js');

test.each([
  [
    'takes no hard links, as that of a memory card',
    { code: 'EPERM' },
    (folder: string) => `${folder} takes no hard links (EPERM): name another folder, or set SECRETS_KEY and JWT_SECRET`,
  ],
  ['is full', { code: 'ENOSPC' }, (folder: string) => `the disk of ${folder} is full: make room`],
  [
    'has no more room for this user',
    { code: 'Unknown system error -122', errno: -122 },
    (folder: string) => `the disk of ${folder} is full: make room`,
  ],
])('where the file system %s, no secrets are made, and it says what to do', async (_what, how, says) => {
  refusal = how;
  const folder = await freshFolder();
  const loaded = loadSecrets(parseConfig({ DATA_DIR: folder }));
  await expect(loaded).rejects.toMatchObject({ name: 'StartRefused', message: expect.stringContaining(says(folder)) });
  expect(readdirSync(folder)).toEqual([]);
});
