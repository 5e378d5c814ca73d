import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { EventMeta } from '../../src/kernel/events/event.js';
import type { LogArchive } from '../../src/ports/log-archive.js';
import { GrowingTree } from '../../src/kernel/proof/growing-tree.js';

const STORES = 'stores';
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A moment as events carry it; a day alone begins, or ends, in UTC. */
function moment(text: string, end: string): string {
  const time = Date.parse(DAY.test(text) ? `${text}${end}` : text);
  if (Number.isNaN(time)) throw new Error(`${text} is no time`);
  return new Date(time).toISOString();
}

async function storeIdOf(log: LogArchive, slug: string): Promise<string> {
  const events = await log.stream(STORES);
  const made = events
    .filter(({ type }) => type === 'StoreCreated')
    .map(({ data }) => JSON.parse(data) as { readonly id: string; readonly slug: string });
  const store = made.find((one) => one.slug === slug);
  if (!store) throw new Error(`there is no store ${slug}`);
  return store.id;
}

/** Writes the events of a store as JSON lines, and what they come to as one JSON line beside them. */
export async function exportStore(
  log: LogArchive,
  wanted: { readonly store: string; readonly from?: string | undefined; readonly to?: string | undefined },
  lines: Writable,
  manifest: Writable,
): Promise<void> {
  const storeId = await storeIdOf(log, wanted.store);
  const from = wanted.from === undefined ? '' : moment(wanted.from, 'T00:00:00.000Z');
  const to = wanted.to === undefined ? '9999' : moment(wanted.to, 'T23:59:59.999Z');
  const tree = new GrowingTree();
  const digest = createHash('sha256');
  let count = 0;
  for await (const page of log.all()) {
    let text = '';
    for (const { id, stream, revision, position, type, data, meta: stored } of page) {
      const meta = JSON.parse(stored) as EventMeta;
      tree.add(stream, revision, meta.hash);
      if (meta.storeId !== storeId || meta.at < from || meta.at > to) continue;
      const head = JSON.stringify({ id, stream, revision, position, type }).slice(0, -1);
      text += `${head},"data":${data},"meta":${stored}}\n`;
      count += 1;
    }
    if (text === '') continue;
    const bytes = Buffer.from(text);
    digest.update(bytes);
    if (!lines.write(bytes)) await once(lines, 'drain');
  }
  const { logId } = log;
  const summary = {
    logId,
    storeId,
    events: count,
    sha256: digest.digest('hex'),
    size: tree.size,
    rootHash: tree.root(),
  };
  manifest.write(`${JSON.stringify(summary)}\n`);
}
