import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StartRefused } from '../../ports/start-refused.js';
import { flushFolderSync, replaceFileSync } from '../../kernel/files/lasting.js';

/** What of a data folder lies on servers since it was moved there. */
export type MovedPart = 'EVENTSTORE_URL' | 'MONGODB_URL';

const mark = z.object({ to: z.array(z.enum(['EVENTSTORE_URL', 'MONGODB_URL'])) });

const HOLDS: Readonly<Record<MovedPart, string>> = { EVENTSTORE_URL: 'log', MONGODB_URL: 'vault' };

const markPath = (dataDir: string): string => join(dataDir, 'moved.json');

export function movedParts(dataDir: string): ReadonlySet<MovedPart> {
  const path = markPath(dataDir);
  if (!existsSync(path)) return new Set();
  try {
    return new Set(mark.parse(JSON.parse(readFileSync(path, 'utf8'))).to);
  } catch (cause) {
    throw new StartRefused(`${path} is damaged: it says which parts of the folder lie on servers since a move`, {
      cause,
    });
  }
}

/** For good: the other side is told next that it holds them, or no longer does. */
export function markMovedParts(dataDir: string, parts: ReadonlySet<MovedPart>): void {
  if (parts.size > 0) {
    replaceFileSync(markPath(dataDir), `${JSON.stringify({ to: [...parts] })}\n`);
    return;
  }
  rmSync(markPath(dataDir), { force: true });
  flushFolderSync(dataDir);
}

export const movedAlready = (dataDir: string, part: MovedPart): StartRefused =>
  new StartRefused(
    `the ${HOLDS[part]} of the data folder ${dataDir} was moved already, to a server: that move is done, and the service starts with ${part}`,
  );

/** What was moved to servers and goes on there must not go on here as well. */
export function expectNotMoved(dataDir: string, settings: Readonly<Partial<Record<MovedPart, unknown>>>): void {
  for (const part of movedParts(dataDir)) {
    if (settings[part] !== undefined) continue;
    throw new StartRefused(
      `the ${HOLDS[part]} of the data folder ${dataDir} was moved to a server: ${part} must name it`,
    );
  }
}
