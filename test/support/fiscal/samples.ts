import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a run of the official schemas finds a sample of everything that is sent or kept. */
const FOLDER = process.env['FISCAL_SAMPLES'];

export function keepSample(name: string, xml: string): void {
  if (!FOLDER) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.xml`), xml);
}
