import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { EventMeta } from '../../src/kernel/events/event.js';
import type { EventBytes, LogArchive } from '../../src/ports/log-archive.js';
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

type ExportedMeta = Pick<EventMeta, 'storeId' | 'at' | 'hash'>;

const AFTER_META = '}\n'.length;
/** As much of the beginning of metadata as holds the store, and of its end as holds the time and the hash. */
const HEAD = 80;
const TAIL = 125;
const STORE = /^\{"schemaVersion":\d+,"storeId":(?:"([0-9a-f-]{36})"|null),/;
const AT_AND_HASH = /"at":"([^"\\]+)"(?:,"keyed":true)?,"hash":"([0-9a-f]{64})"\}$/;

/** Three members of an event's metadata. Where they stand as the service writes them, the rest need not be parsed. */
function metaIn(bytes: Buffer, { end, metaBytes }: EventBytes): ExportedMeta {
  const last = end - AFTER_META;
  const first = last - metaBytes;
  const store = STORE.exec(bytes.toString('latin1', first, Math.min(last, first + HEAD)));
  const rest = AT_AND_HASH.exec(bytes.toString('latin1', Math.max(first, last - TAIL), last));
  const [at, hash] = [rest?.[1], rest?.[2]];
  if (store === null || at === undefined || hash === undefined) {
    return JSON.parse(bytes.toString('utf8', first, last)) as ExportedMeta;
  }
  return { storeId: store[1] ?? null, at, hash };
}

const line = (bytes: Buffer, { start, end }: EventBytes): Buffer => bytes.subarray(start, end);

/** Writes the events of a store as JSON lines, and what they come to as one JSON line beside them. */
export async function exportStore(
  log: LogArchive,
  wanted: { readonly store: string; readonly from?: string | undefined; readonly to?: string | undefined },
  lines: Writable,
  manifest: { write(text: string): unknown },
): Promise<void> {
  const storeId = await storeIdOf(log, wanted.store);
  const from = wanted.from === undefined ? '' : moment(wanted.from, 'T00:00:00.000Z');
  const to = wanted.to === undefined ? '9999' : moment(wanted.to, 'T23:59:59.999Z');
  const tree = new GrowingTree();
  const digest = createHash('sha256');
  let count = 0;
  for await (const { bytes, events } of log.lines()) {
    const wantedLines: Buffer[] = [];
    for (const event of events) {
      const meta = metaIn(bytes, event);
      tree.add(event.stream, event.revision, meta.hash);
      if (meta.storeId === storeId && meta.at >= from && meta.at <= to) wantedLines.push(line(bytes, event));
    }
    count += wantedLines.length;
    if (wantedLines.length === 0) continue;
    const text = wantedLines.length === events.length ? bytes : Buffer.concat(wantedLines);
    digest.update(text);
    if (!lines.write(text)) await once(lines, 'drain');
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
