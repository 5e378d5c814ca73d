import { parentPort, workerData } from 'node:worker_threads';
import type { LogFileOptions } from './file.js';
import { openLogForReading } from './file.js';
import { LogReader } from './reader.js';
import type { ReadReply, ReadRequest } from './protocol.js';
import { CLOSE } from './protocol.js';
import { messageOf } from '../../../kernel/values/message-of.js';

/**
 * Reads `events.db` on a thread of its own: a page of 1,000 events takes milliseconds that neither the event loop nor a writer
 * waiting for the disk should pay for or wait for.
 */
if (!parentPort) throw new Error('the log reader is no program of its own');
const port = parentPort;
const file = openLogForReading(workerData as LogFileOptions);
const reader = new LogReader(file);

function answer(request: ReadRequest): ReadReply {
  try {
    return reader.read(request);
  } catch (error) {
    return { rows: [], cut: false, failure: messageOf(error) };
  }
}

port.on('message', (message: ReadRequest | typeof CLOSE) => {
  if (message === CLOSE) {
    file.database.close();
    port.close();
  } else port.postMessage(answer(message));
});
port.postMessage('opened');
