import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Rejection } from '../src/kernel/events/rejection.js';
import { PROJECTION_BEHIND } from '../src/kernel/routes/request-context.js';
import { openLog, readableLine, troubleTeller } from '../src/log-lines.js';
import { RowConflict, StoreUnavailable } from '../src/ports/event-store.js';
import { openWorld } from './support/world.js';

function lineOf(write: (logger: pino.Logger) => void): string {
  let line = '';
  write(pino({ level: 'trace', timestamp: () => ',"time":1763802000000' }, { write: (json) => (line = json) }));
  return readableLine(line);
}

test('a line for people has its time, its level as a word, what happened and with what', () => {
  expect(
    lineOf((logger) => {
      logger.info({ method: 'GET', status: 200, ms: 1.5, code: undefined, list: ['a'] }, 'request');
    }),
  ).toBe('2025-11-22T09:00:00.000Z info  request method=GET status=200 ms=1.5 list=["a"]\n');
});

test('an error is told with where it came from', () => {
  const error = new Error('it broke');
  expect(
    lineOf((logger) => {
      logger.warn({ err: error, requestId: 'r' }, 'a mail did not leave');
    }),
  ).toBe(`2025-11-22T09:00:00.000Z warn  a mail did not leave requestId=r\n${String(error.stack)}\n`);
});

test('a terminal gets such lines', () => {
  const written: string[] = [];
  const terminal = new Writable({
    write(piece, _encoding, done) {
      written.push(String(piece));
      done();
    },
  });
  const { logger } = openLog(
    'info',
    Object.assign(terminal, { isTTY: true, fd: 1 }) as unknown as typeof process.stdout,
  );
  logger.info('ready');
  logger.debug('unsaid');
  expect(written).toEqual([expect.stringMatching(/^\d{4}-.*Z info {2}ready\n$/)]);
});

test('a terminal that was closed takes no line, and ends nothing', async () => {
  const terminal = new Writable({
    write(_piece, _encoding, done) {
      done(new Error('write EIO'));
    },
  });
  const { logger } = openLog(
    'info',
    Object.assign(terminal, { isTTY: true, fd: 1 }) as unknown as typeof process.stdout,
  );
  const closed = new Promise((resolve) => terminal.on('close', resolve));
  logger.info('stopping');
  await closed;
});

test('work that comes before its read models are built is no error, nor work that another process has taken', async () => {
  const log: string[] = [];
  const world = await openWorld({ log });
  const { onError } = world.service.features;
  onError(new Rejection(PROJECTION_BEHIND));
  onError(new RowConflict());
  onError(new Error('it broke'));
  await world.close();
  const lines = log.map((line) => JSON.parse(line) as { readonly msg: string; readonly level: number });
  expect(lines.filter(({ msg }) => msg === 'after the answer').map(({ level }) => level)).toEqual([40, 40, 50]);
});

test('a server that is away is told of once a minute for each kind of work, anything else each time', () => {
  const told: string[] = [];
  let now = 0;
  const note = ({ err }: { readonly err: Error }, what: string) => told.push(`${what}: ${err.message}`);
  const tell = troubleTeller({ warn: note, error: note } as unknown as pino.Logger, () => now);
  const away = () => new StoreUnavailable('MongoDB is away: it does not answer', false);
  for (now = 0; now < 120_000; now += 500)
    for (const what of ['a mail did not leave', 'projections']) tell(away(), what);
  expect(told.toSorted()).toEqual([
    ...Array<string>(2).fill('a mail did not leave: MongoDB is away: it does not answer'),
    ...Array<string>(2).fill('projections: MongoDB is away: it does not answer'),
  ]);
  told.length = 0;
  tell(new StoreUnavailable('EventStoreDB is away: it does not answer', false), 'projections');
  for (let times = 0; times < 2; times++) tell(new Error('it broke'), 'projections');
  expect(told).toEqual([
    'projections: EventStoreDB is away: it does not answer',
    ...Array<string>(2).fill('projections: it broke'),
  ]);
});
