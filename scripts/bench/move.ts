import { largeStore } from './large-store.js';
import { printReport } from './reports.js';

export const MOVE = 'move';

/** Prints how long a large store takes to servers and back, the start of the service on either side included. */
export async function printMove(): Promise<number> {
  const { dataDir, slug, apiKey, remove } = await largeStore();
  const code = await printReport('dist/test/support/move-times.js', JSON.stringify({ dataDir, slug, apiKey }));
  await remove();
  return code;
}
