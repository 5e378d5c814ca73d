import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

let folder: string | undefined;

const SCRIPT = fileURLToPath(new URL('../../scripts/openapi.js', import.meta.url));

/** Jest's global set-up: makes the service's OpenAPI document once for all test files, which takes each of them seconds otherwise. */
export default function makeServiceDocument(): void {
  // A test that runs Jest itself passes its own on.
  if (process.env['SERVICE_DOCUMENT'] !== undefined) return;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', SCRIPT], {
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
  });
  if (status !== 0) throw new Error(`the OpenAPI document cannot be made: ${stderr}`);
  folder = mkdtempSync(join(tmpdir(), 'service-document-'));
  const path = join(folder, 'openapi.json');
  writeFileSync(path, stdout);
  process.env['SERVICE_DOCUMENT'] = path;
}

/** What this process made; what a test was given by the one that runs it stays. */
export function forgetServiceDocument(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true });
}
