import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { EventMeta } from '../../src/kernel/events/event.js';
import type { EventBytes, LogArchive } from '../../src/ports/log-archive.js';
import { GrowingTree } from '../../src/kernel/proof/growing-tree.js';
import { momentRange } from '../../src/kernel/values/days.js';

const STORES = 'stores';

interface Store {
  readonly id: string;
  readonly slug: string;
  readonly timeZone: string;
}

async function storeOf(log: LogArchive, slug: string): Promise<Store> {
  let store: Store | undefined;
  for (const { type, data } of await log.stream(STORES)) {
    if (type !== 'StoreCreated' && type !== 'StoreChanged') continue;
    const said = JSON.parse(data) as Store;
    if (type === 'StoreCreated' ? said.slug === slug : said.id === store?.id) store = { ...store, ...said };
  }
  if (!store) throw new Error(`there is no store ${slug}`);
  return store;
}

/** What is wanted, as events carry times; a day alone is that day in the store. The end is no longer part of it. */
function periodOf(asked: { readonly from?: string | undefined; readonly to?: string | undefined }, timeZone: string) {
  const { from, before } = momentRange(asked, timeZone);
  return {
    from: from === -Infinity ? '' : new Date(from).toISOString(),
    before: before === Infinity ? '9999' : new Date(before).toISOString(),
  };
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
  const { id: storeId, timeZone } = await storeOf(log, wanted.store);
  const { from, before } = periodOf(wanted, timeZone);
  const tree = new GrowingTree();
  const digest = createHash('sha256');
  let count = 0;
  for await (const { bytes, events } of log.lines()) {
    const wantedLines: Buffer[] = [];
    for (const event of events) {
      const meta = metaIn(bytes, event);
      tree.add(event.stream, event.revision, meta.hash);
      if (meta.storeId === storeId && meta.at >= from && meta.at < before) wantedLines.push(line(bytes, event));
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
