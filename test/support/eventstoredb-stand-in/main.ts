import { ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { LogRecord } from './log.js';
import { EventLog } from './log.js';
import { EventStoreDbStandIn } from './server.js';

/** The stand-in as a process of its own, so that it can be killed or stopped for real: `--port N --file PATH`. */
const { values } = parseArgs({ options: { port: { type: 'string' }, file: { type: 'string' } } });

const encode = (record: LogRecord) => ({
  ...record,
  position: record.position.toString(),
  revision: record.revision.toString(),
  created: record.created.toString(),
  data: Buffer.from(record.data).toString('base64'),
  metadata: Buffer.from(record.metadata).toString('base64'),
});

const decode = (stored: ReturnType<typeof encode>): LogRecord => ({
  ...stored,
  position: BigInt(stored.position),
  revision: BigInt(stored.revision),
  created: BigInt(stored.created),
  data: Buffer.from(stored.data, 'base64'),
  metadata: Buffer.from(stored.metadata, 'base64'),
});

/** The log with a copy in a file, an append a line; a line that a kill left torn is dropped. */
function keptIn(path: string): EventLog {
  const file = openSync(path, 'a+');
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  ftruncateSync(file, Buffer.byteLength(whole));
  const kept = new EventLog((records) => {
    writeSync(file, `${JSON.stringify(records.map(encode))}\n`);
  });
  for (const line of whole.split('\n')) {
    if (line) for (const record of JSON.parse(line) as ReturnType<typeof encode>[]) kept.restore(decode(record));
  }
  return kept;
}

// It ends with the process that started it.
process.on('disconnect', () => process.exit());
const log = values.file === undefined ? new EventLog() : keptIn(values.file);
const server = await EventStoreDbStandIn.start(log, Number(values.port ?? 0));
if (process.send) process.send(server.url);
else process.stdout.write(`${server.url}\n`);
