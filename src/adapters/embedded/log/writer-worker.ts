import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { LogFaults } from './faults.js';
import type { LogFileOptions } from './file.js';
import { openLogForWriting } from './file.js';
import type { Opened, WriteMessage } from './protocol.js';
import { CLOSE, GROUP_BYTES, GROUP_REQUESTS } from './protocol.js';
import { LogWriter } from './writer.js';

/** The one thread that writes `events.db`. */
const IDLE = 1_000;

if (!parentPort) throw new Error('the log worker is no program of its own');
const port = parentPort;
const options = workerData as LogFileOptions & { readonly faults: SharedArrayBuffer };
const file = openLogForWriting(options);
const writer = new LogWriter(file, new LogFaults(options.faults), options.dataDir);
const idle = setTimeout(() => {
  checkpoint('passive');
}, IDLE).unref();

function checkpoint(how: 'passive' | 'truncate'): void {
  try {
    file.database.exec(`pragma wal_checkpoint(${how})`);
  } catch {
    // A full disk, for one: nothing is lost, and the next commits try it again.
  }
}

/** What arrived while the last transaction was being flushed goes into the next one. */
function gather(first: WriteMessage): WriteMessage {
  const requests = [...first.requests];
  let { bytes, now } = first;
  while (requests.length < GROUP_REQUESTS && bytes < GROUP_BYTES) {
    const next = receiveMessageOnPort(port) as { message: WriteMessage } | undefined;
    if (!next) break;
    requests.push(...next.message.requests);
    bytes += next.message.bytes;
    now = next.message.now;
  }
  return { requests, bytes, now };
}

/** Asked for when every request has been answered. */
function close(): void {
  checkpoint('truncate');
  file.database.close();
  port.close();
}

port.on('message', (message: WriteMessage | typeof CLOSE) => {
  if (message === CLOSE) {
    close();
    return;
  }
  const { requests, now } = gather(message);
  port.postMessage(writer.run(requests, now));
  idle.refresh();
});
port.postMessage({ logId: file.logId, head: writer.head } satisfies Opened);
