import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { checkpoint, WalCheckpoints } from '../workers/wal-checkpoints.js';
import { LogFaults } from './faults.js';
import type { LogFileOptions } from './file.js';
import { openLogForWriting } from './file.js';
import { logFilePath } from './log-before.js';
import type { Opened, WriteMessage } from './protocol.js';
import { CLOSE, GROUP_BYTES, GROUP_REQUESTS } from './protocol.js';
import { LogWriter } from './writer.js';

/** The one thread that writes `events.db`. */
const IDLE = 1_000;
const BYTES_BETWEEN_CHECKPOINTS = 12_000_000;
/** What a transaction writes beside its events and rows, roughly: pages of indexes. */
const BYTES_OF_COMMIT = 12_000;

if (!parentPort) throw new Error('the log worker is no program of its own');
const port = parentPort;
const options = workerData as LogFileOptions & { readonly faults: SharedArrayBuffer };
const file = openLogForWriting(options);
const writer = new LogWriter(file, new LogFaults(options.faults), options.dataDir);
const checkpoints = new WalCheckpoints(file.database, logFilePath(options.dataDir), BYTES_BETWEEN_CHECKPOINTS);
let written = 0;
const idle = setTimeout(() => {
  checkpoint(file.database, 'passive');
}, IDLE).unref();

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
async function close(): Promise<void> {
  await checkpoints.close();
  checkpoint(file.database, 'truncate');
  file.database.close();
  port.close();
}

port.on('message', (message: WriteMessage | typeof CLOSE) => {
  if (message === CLOSE) {
    void close();
    return;
  }
  const { requests, bytes, now } = gather(message);
  port.postMessage(writer.run(requests, now));
  written += bytes + BYTES_OF_COMMIT;
  checkpoints.consider(written);
  idle.refresh();
});
port.postMessage({ logId: file.logId, head: writer.head } satisfies Opened);
