import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { makeScratchFolder } from './scratch-folder.js';

const SIZE = ['--orders', '5000', '--lines', '50000'];

const built = z.object({ slug: z.string(), apiKey: z.string() });

interface LargeStore extends z.output<typeof built> {
  readonly dataDir: string;
  /** Nothing of one that was given. */
  readonly remove: () => Promise<void>;
}

async function buildStore(dataDir: string): Promise<z.output<typeof built>> {
  const script = fileURLToPath(new URL('../large-store.js', import.meta.url));
  const child = spawn(process.execPath, [script, '--data-dir', dataDir, ...SIZE], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('the large store was not built');
  return built.parse(JSON.parse(text));
}

/** A store with a long history. `LARGE_STORE` may hold the JSON that `large-store` gave and the folder that it filled, as `dataDir`. */
export async function largeStore(): Promise<LargeStore> {
  const given = process.env['LARGE_STORE'];
  if (given !== undefined) {
    const known = built.extend({ dataDir: z.string() }).parse(JSON.parse(given));
    return { ...known, remove: () => Promise.resolve() };
  }
  const { path, remove } = await makeScratchFolder();
  return { dataDir: path, ...(await buildStore(path)), remove };
}
