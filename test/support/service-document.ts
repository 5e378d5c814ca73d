import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
  const path = join(mkdtempSync(join(tmpdir(), 'service-document-')), 'openapi.json');
  writeFileSync(path, stdout);
  process.env['SERVICE_DOCUMENT'] = path;
}
