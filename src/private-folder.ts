import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { StartRefused } from './ports/start-refused.js';

/** Others on the machine must neither read what lies in the data folder nor lock it: both need no more than an open file mode. */

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;
const SOME = 5;

/** What comes later, from whichever part of the process, is closed as well. */
export const closeWhatIsMade = (): number => process.umask(OTHERS);

/** Undefined where the entry has gone meanwhile, as the files that a database keeps beside its own do. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Everything in a folder and itself; what a link leads to is not part of it. */
function* entriesOf(
  path: string,
  isDeep = true,
): Generator<{ readonly path: string; readonly mode: number; readonly wanted: number }> {
  const stat = unlessGone(() => lstatSync(path));
  if (stat?.isDirectory()) {
    yield { path, mode: stat.mode & 0o777, wanted: FOLDER_MODE };
    const names = isDeep ? (unlessGone(() => readdirSync(path)) ?? []) : [];
    for (const name of names) yield* entriesOf(join(path, name));
  } else if (stat?.isFile()) yield { path, mode: stat.mode & 0o777, wanted: FILE_MODE };
}

/** What the service makes in its data folder. */
const OWN_FOLDERS: ReadonlySet<string> = new Set(['checkpoints', 'outbox', 'replays', 'backup', 'backups']);
const OWN_FILES = /^(?:(?:events|read|lock)\.db|secrets\.json|demo-credentials\.json|service\.pid|admin\.sock)/;
/** Made by file systems. */
const OF_NOBODY = 'lost+found';

/** What is closed of a folder: all of it, but where other folders lie in it (a home, the root, by a slip) its own files and nothing else. */
function toClose(folder: string): { readonly paths: readonly string[]; readonly strangers: readonly string[] } {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== OF_NOBODY);
  const strangers = entries.filter((entry) => entry.isDirectory() && !OWN_FOLDERS.has(entry.name));
  const own = entries.filter(({ name }) => OWN_FOLDERS.has(name) || OWN_FILES.test(name));
  const inside = (strangers.length > 0 ? own : entries).map(({ name }) => join(folder, name));
  return { paths: strangers.length > 0 ? inside : [folder, ...inside], strangers: strangers.map(({ name }) => name) };
}

/**
 * Sets the data folder to 700 and its files to 600. Where that is not possible (another owner, a file system that is read-only)
 * production does not start.
 */
export function closeDataFolder(
  folder: string,
  { logger, production }: { readonly logger: Logger; readonly production: boolean },
): void {
  if (process.platform === 'win32') return;
  let closed = 0;
  try {
    const { paths, strangers } = toClose(folder);
    for (const { path, mode, wanted } of paths.flatMap((each) => [...entriesOf(each, each !== folder)])) {
      if ((mode & OTHERS) === 0) continue;
      unlessGone(() => {
        chmodSync(path, wanted);
        closed += 1;
      });
    }
    if (strangers.length > 0) {
      const others = strangers.slice(0, SOME);
      logger.warn(
        { folder, others },
        'DATA_DIR holds other folders: only what is the service’s own is closed to others',
      );
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // What is not there, or is no folder at all, is named by who opens it.
    if (code === 'ENOENT' || code === 'ENOTDIR') return;
    const remedy = `chown -R "$(id -un)" '${folder}' && chmod -R go-rwx '${folder}'`;
    if (production) {
      throw new StartRefused(`DATA_DIR is open to other users and cannot be closed (${code ?? ''}): run ${remedy}`, {
        cause,
      });
    }
    logger.warn({ err: cause, remedy }, 'the data folder is open to other users of this machine');
    return;
  }
  if (closed > 0) logger.info({ folder, closed }, 'the data folder was closed to other users of this machine');
}
