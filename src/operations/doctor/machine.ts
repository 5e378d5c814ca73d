import { accessSync, constants, existsSync, lstatSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import type { Finding } from './findings.js';
import { note, ok, wrong } from './findings.js';
import { freeBytes, RESERVED_BYTES } from '../../kernel/files/disk-room.js';
import { messageOf } from '../../kernel/values/message-of.js';

/** What can be seen without opening anything. */

const OLDEST_NODE = [20, 19] as const;
const MEGABYTE = 1024 * 1024;
const LITTLE = 1024 * MEGABYTE;
const OTHERS = 0o077;
/** What no start goes on without; what else lies in the folder may be somebody else's. */
const DATABASE = /^(?:events|read|lock)\.db/;

export function nodeVersion(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const suffices = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return suffices
    ? ok('Node', version)
    : wrong('Node', `${version} is too old: install ${OLDEST_NODE.join('.')} or newer`);
}

/** Whose the folder is, whether it can be written, and who else may look into it. */
export function folder(path: string, access = accessSync): readonly Finding[] {
  if (!existsSync(path)) return [note('DATA_DIR', `${path} is not there yet: the first start makes it`)];
  const { uid, mode } = lstatSync(path);
  const me = process.getuid?.();
  if (me !== undefined && me !== 0 && uid !== me) {
    return [wrong('DATA_DIR', `${path} belongs to another user: run chown -R "$(id -un)" '${path}'`)];
  }
  const files = readdirSync(path).map((name) => join(path, name));
  const open = [path, ...files].filter(
    (each) => (lstatSync(each).mode & OTHERS) !== 0 && !lstatSync(each).isSymbolicLink(),
  );
  if ((mode & 0o300) !== 0o300) return [wrong('DATA_DIR', `${path} cannot be written: run chmod u+rwx '${path}'`)];
  try {
    access(path, constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EROFS') throw error;
    const remedy = 'mount it for writing, or copy the folder to another disk and set DATA_DIR';
    return [wrong('DATA_DIR', `${path} lies on a file system that is read-only: ${remedy}`)];
  }
  const shut = files.find((file) => DATABASE.test(basename(file)) && !isOpenTo(file, access));
  if (shut !== undefined) {
    const remedy = `as root run chown ${String(uid)} '${shut}' && chmod u+rw '${shut}'`;
    return [wrong('DATA_DIR', `${shut} cannot be read and written, which the service must: ${remedy}`)];
  }
  return open.length === 0
    ? [ok('DATA_DIR', `${path} is closed to other users`)]
    : [note('DATA_DIR', `${open[0] ?? ''} is open to other users: the next start closes it`)];
}

/** A command that root gave while no service ran may have made a file that its user cannot open. */
function isOpenTo(file: string, access: typeof accessSync): boolean {
  try {
    access(file, constants.R_OK | constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'; // it has gone meanwhile
  }
}

/** Whether backups can be written where they are to be. */
export function backupFolder(path: string, access = accessSync): readonly Finding[] {
  if (!existsSync(path)) return [];
  try {
    access(path, constants.W_OK);
    return [];
  } catch (error) {
    return [wrong('BACKUP_DIR', `it cannot be written, so no backup is made: ${messageOf(error)}`)];
  }
}

/** Says what happens where there is no more of it. */
export function room(about: string, path: string, otherwise: string): Finding {
  const free = freeBytes(existsSync(path) ? path : '.');
  const says = `${String(Math.floor(free / MEGABYTE))} MiB are free`;
  const least = String(RESERVED_BYTES / MEGABYTE);
  if (free < RESERVED_BYTES) return wrong(about, `${says}: ${otherwise} below ${least}; make room`);
  return free < LITTLE ? note(about, `${says}: make room soon`) : ok(about, says);
}

/** Whether somebody else listens where the service would. */
export function port(host: string, number: number): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const says = code === 'EADDRINUSE' ? 'another program listens there: stop it, or set another PORT' : message;
      resolve(wrong('HOST and PORT', `${host}:${String(number)}: ${says}`));
    });
    server.listen(number, host, () => {
      server.close(() => {
        resolve(ok('HOST and PORT', `${host}:${String(number)} is free`));
      });
    });
  });
}
