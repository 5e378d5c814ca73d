import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import { CHAIN_START, isSealed } from '../../src/kernel/events/chain.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import type { EventMeta } from '../../src/kernel/events/event.js';
import type { StoredEvent } from '../../src/ports/event-store.js';
import { START } from '../../src/ports/event-store.js';

async function generatedKey(dataDir: string): Promise<string> {
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as { readonly secretsKey: string };
  return secrets.secretsKey;
}

/** All events in the folder of a service that is stopped. */
export async function storedEvents(dataDir: string, configuredKey?: string): Promise<readonly StoredEvent[]> {
  const secretsKey = Buffer.from(configuredKey ?? (await generatedKey(dataDir)), 'base64');
  const log = await openEmbeddedLog({ dataDir, secretsKey, clock: systemClock() });
  try {
    return await log.eventStore.readAll(START, Number.MAX_SAFE_INTEGER);
  } finally {
    await log.close();
  }
}

/** The events that are not what was sealed after the event before them in their stream. */
export function brokenLinks(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const lastHash = new Map<string, string>();
  return events.filter((event) => {
    const sealed = isSealed(lastHash.get(event.stream) ?? CHAIN_START, event);
    lastHash.set(event.stream, (JSON.parse(event.meta) as EventMeta).hash);
    return !sealed;
  });
}
