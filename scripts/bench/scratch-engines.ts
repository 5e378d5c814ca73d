import { destination, pino } from 'pino';
import type { Engines } from '../../src/compose.js';
import { openEngines } from '../../src/compose.js';
import { parseConfig } from '../../src/config.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { loadSecrets } from '../../src/secrets.js';
import { makeScratchFolder } from './scratch-folder.js';

interface ScratchEngines {
  /** Their names, for the report. */
  readonly engine: string;
  readonly engines: Engines;
  readonly close: () => Promise<void>;
}

export async function openEnginesOf(environment: NodeJS.ProcessEnv): Promise<Engines> {
  const config = parseConfig(environment);
  const logger = pino({ level: 'warn' }, destination(2));
  return openEngines({ config, secrets: await loadSecrets(config), clock: systemClock(), logger });
}

/** The embedded engines in a fresh folder, or the servers that EVENTSTORE_URL and MONGODB_URL name. */
export async function openScratchEngines(): Promise<ScratchEngines> {
  const folder = await makeScratchFolder();
  const config = parseConfig({ ...process.env, DATA_DIR: folder.path });
  const engines = await openEnginesOf({ ...process.env, DATA_DIR: folder.path });
  const servers = [config.EVENTSTORE_URL && 'EventStoreDB', config.MONGODB_URL && 'MongoDB'].filter(Boolean);
  return {
    engine: servers.join(' and ') || 'embedded',
    engines,
    async close() {
      await engines.close();
      await folder.remove();
    },
  };
}
