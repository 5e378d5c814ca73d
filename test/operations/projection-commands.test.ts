import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { WrongUsage } from '../../src/operations/administration-commands.js';
import { runProjectionCommand } from '../../src/operations/administration-socket.js';
import { parseProjectionCommand } from '../../src/operations/projection-commands.js';
import { RunningProjections } from '../support/running-projections.js';
import { nameThing, POISON } from '../support/shelf-projectors.js';
import { until } from '../support/until.js';

const check = () => Promise.reject(new Error('is not asked'));

test('a poison event is shown, skipped by its position alone, and that is logged', async () => {
  const running = await new RunningProjections().start();
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  const run = (...words: readonly string[]) => {
    const { name, input } = parseProjectionCommand(words);
    return runProjectionCommand({ projections: running.projections, logger, check }, name, input);
  };
  const poisonous = await running.append(nameThing('a', POISON));
  const last = await running.append(nameThing('b', 'bread'));
  await until('it has stopped', () => running.healthOf('things')?.state === 'stopped');

  const poison = { position: poisonous, stream: 'shelf', type: 'ThingNamed', reason: 'a poisonous name' };
  const stopped = expect.objectContaining({ name: 'things', state: 'stopped', poison });
  expect(await run('status')).toEqual({ result: { projections: expect.arrayContaining([stopped]) } });
  expect(await run('skip', 'things', last)).toEqual({ error: `things has not stopped at ${last}` });
  expect(lines).toEqual([]);

  expect(await run('skip', 'things', poisonous)).toMatchObject({ result: { position: last } });
  expect(lines).toEqual([expect.objectContaining({ projection: 'things', position: poisonous, poison })]);
  await until('it is live again', () => running.healthOf('things')?.state === 'live');
  expect(running.document('things', 'b')).toMatchObject({ name: 'bread' });
  await running.stop();
});

test('all are rebuilt by one word', async () => {
  const running = await new RunningProjections().start();
  await running.append(nameThing('a', 'bread'));
  const operated = { projections: running.projections, logger: pino({ level: 'silent' }), check };
  const { result } = (await runProjectionCommand(operated, 'projections rebuild', { name: 'all' })) as {
    readonly result: { readonly projections: readonly unknown[] };
  };
  const names = running.projections.health().map(({ name }) => name);
  expect(result.projections).toEqual(names.map((name) => expect.objectContaining({ name, state: 'live' })));
  await running.stop();
});

test.each([
  ['rebuild takes name', ['rebuild']],
  ['skip takes name and position', ['skip', 'things']],
  ['status takes nothing more', ['status', 'things']],
  ['unknown command: burn', ['burn']],
  ['a command is missing', []],
])('wrong usage is explained: %s', (reason, words) => {
  expect(() => parseProjectionCommand(words)).toThrow(new WrongUsage(reason));
});

test('an unknown projection is refused by name', async () => {
  const { projections } = await new RunningProjections().start();
  const operated = { projections, logger: pino({ level: 'silent' }), check };
  const refused = { error: 'there is no projection bread' };
  expect(await runProjectionCommand(operated, 'projections rebuild', { name: 'bread' })).toEqual(refused);
  await projections.close();
});
