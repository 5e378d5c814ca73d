import type { Config } from '../../config.js';

/** How an installation is copied of which no backups are made, as servers hold some of it or all; undefined where the data folder does. */
export function copiedElsewhere({ EVENTSTORE_URL, MONGODB_URL }: Pick<Config, 'EVENTSTORE_URL' | 'MONGODB_URL'>) {
  if (EVENTSTORE_URL && MONGODB_URL) return 'servers are copied with their own tools';
  if (!EVENTSTORE_URL && !MONGODB_URL) return undefined;
  const [here, there] = EVENTSTORE_URL ? ['vault', 'log'] : ['log', 'vault'];
  return `the ${here} lies in DATA_DIR: copy that folder while the service is stopped, and the server, which has the ${there}, with its own tools`;
}
