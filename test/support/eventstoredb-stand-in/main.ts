import { openSync, readFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EventLog, type LogRecord } from './log.js';
import { EventStoreDbStandIn } from './server.js';

/** The stand-in as a process of its own, so that it can be killed or stopped for real: `--port N --file PATH`. */
const { values } = parseArgs({ options: { port: { type: 'string' }, file: { type: 'string' } } });

const encode = (record: LogRecord): string =>
  JSON.stringify({
    ...record,
    position: record.position.toString(),
    revision: record.revision.toString(),
    created: record.created.toString(),
    data: Buffer.from(record.data).toString('base64'),
    metadata: Buffer.from(record.metadata).toString('base64'),
  });

function decode(line: string): LogRecord {
  const stored = JSON.parse(line) as Record<keyof LogRecord, string>;
  return {
    ...stored,
    position: BigInt(stored.position),
    revision: BigInt(stored.revision),
    created: BigInt(stored.created),
    data: Buffer.from(stored.data, 'base64'),
    metadata: Buffer.from(stored.metadata, 'base64'),
  };
}

const { file } = values;
const copy = file === undefined ? undefined : openSync(file, 'a');
const log = new EventLog((records) => {
  if (copy !== undefined) writeSync(copy, records.map((record) => `${encode(record)}\n`).join(''));
});
if (file !== undefined) {
  for (const line of readFileSync(file, 'utf8').split('\n')) if (line) log.restore(decode(line));
}
// It ends with the process that started it.
process.on('disconnect', () => process.exit());
const server = await EventStoreDbStandIn.start(log, Number(values.port ?? 0));
if (process.send) process.send(server.url);
else process.stdout.write(`${server.url}\n`);
