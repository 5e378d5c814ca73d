/** A process of its own that writes an embedded log, to be watched or killed: `node embedded-log-child.js DATA_DIR KEY TASK`. */
import { randomUUID } from 'node:crypto';
import { openEmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import type { FaultPoint } from '../../src/adapters/embedded/log/faults.js';
import { LogFaults } from '../../src/adapters/embedded/log/faults.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import type { NewEvent } from '../../src/ports/event-store.js';
import { NO_STREAM } from '../../src/ports/event-store.js';

const WRITERS = 40;
const [dataDir = '', key = '', task = ''] = process.argv.slice(2);
const faults = new LogFaults();
const say = (line: string): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.write(`${line}\n`, () => {
      resolve();
    });
  });

const made = (id: string = randomUUID()): NewEvent => ({ id, type: 'Made', data: '{"by":"child"}', meta: '{}' });

const log = await openEmbeddedLog({
  dataDir,
  secretsKey: Buffer.from(key, 'hex'),
  clock: systemClock(),
  faults,
});

/** Appends of three events each, for ever; says the ids of what was acknowledged. */
async function writeForEver(): Promise<void> {
  const stream = `child-${randomUUID()}`;
  for (let revision = NO_STREAM; ;) {
    const events = [made(), made(), made()];
    ({ revision } = await log.eventStore.append(stream, revision, events));
    await say(events.map(({ id }) => id).join(' '));
  }
}

const tasks: Record<string, () => Promise<unknown>> = {
  async hold() {
    await say('open');
    await new Promise(() => undefined);
  },
  load: () => Promise.all(Array.from({ length: WRITERS }, writeForEver)),
  async oneByOne() {
    for (let count = 0; count < 10; count++) {
      await log.eventStore.append('one-by-one', count - 1, [made()]);
      await say(`appended ${count}`);
      await log.vault.write([{ kind: 'thing', id: String(count), value: count, expected: 'absent' }]);
      await say(`written ${count}`);
    }
    await log.close();
  },
  /** Dies at a point of its second append. */
  async die() {
    const [point = 'beforeCommit'] = process.argv.slice(5) as FaultPoint[];
    await log.eventStore.append('dying', NO_STREAM, [made('first')]);
    faults.set(point, 'killProcess');
    await log.eventStore.append(
      'dying',
      0,
      [made('second')],
      [{ kind: 'thing', id: 'second', value: 1, expected: 'absent' }],
    );
    await say('never said');
  },
};
await tasks[task]?.();
