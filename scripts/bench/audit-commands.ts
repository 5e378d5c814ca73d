import { Writable } from 'node:stream';
import { destination, pino } from 'pino';
import { openArchive } from '../../src/compose.js';
import { parseConfig } from '../../src/config.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import type { LogArchive } from '../../src/ports/log-archive.js';
import { exportStore } from '../audit/export.js';
import { verifyLog } from '../audit/verify.js';
import type { Case, Sample } from './benchmark.js';
import { embeddedIn } from './servers.js';

const nowhere = () =>
  new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });

/** Goes through a whole log once, however long that takes, as the commands of the auditor do. */
async function wholeLog(dataDir: string, work: (log: LogArchive) => Promise<number>): Promise<Sample> {
  const config = parseConfig(embeddedIn(dataDir));
  const log = await openArchive({ config, clock: systemClock(), logger: pino({ level: 'warn' }, destination(2)) });
  try {
    const [began, processor] = [performance.now(), process.cpuUsage()];
    const n = await work(log);
    const milliseconds = performance.now() - began;
    const { user, system } = process.cpuUsage(processor);
    const more = { 'processor µs an event': (user + system) / n };
    return { n, seconds: milliseconds / 1000, latenciesMs: [milliseconds], more };
  } finally {
    await log.close();
  }
}

export const auditCommandCases = (dataDir: string, store: string): readonly Case[] => [
  {
    name: 'events verified, by the command',
    measure: () =>
      wholeLog(
        dataDir,
        async (log) => (await verifyLog(log, { daily: [], checkpoint: undefined, key: undefined }, nowhere())).size,
      ),
  },
  {
    name: 'events exported, by the command',
    measure: () =>
      wholeLog(dataDir, async (log) => {
        let manifest = '';
        await exportStore(log, { store }, nowhere(), {
          write(text) {
            manifest += text;
          },
        });
        return (JSON.parse(manifest) as { readonly events: number }).events;
      }),
  },
];
