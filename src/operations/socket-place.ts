import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../kernel/values/message-of.js';
import { StartRefused } from '../ports/start-refused.js';

/** Where the administration socket lies: in a folder that is this user's alone, and never beside what others may put there. */

const SOCKET = 'admin.sock';
/** Says where the socket lies when the data folder cannot hold it. */
const POINTER = 'admin.sock.path';
const TEMPORARY = 'store-management-';
/** The system's limit for socket paths is about 108 bytes. */
const LONGEST_PATH = 100;
const OTHERS = 0o077;

const pipeName = (folder: string): string =>
  `\\\\.\\pipe\\store-management-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;

interface SocketPlace {
  readonly path: string;
  remove(): Promise<void>;
}

/** A place for the service's socket. What an earlier process left is removed: the data folder is this one's alone. */
export async function makePlace(dataDir: string): Promise<SocketPlace> {
  const folder = resolve(dataDir);
  if (process.platform === 'win32') return { path: pipeName(folder), remove: () => Promise.resolve() };
  const remove = async () => {
    const earlier = await pointed(folder);
    if (earlier !== undefined && isTemporary(earlier)) await rm(dirname(earlier), { recursive: true, force: true });
    await Promise.all([SOCKET, POINTER].map((name) => removeFile(join(folder, name))));
  };
  await remove();
  const own = join(folder, SOCKET);
  if (Buffer.byteLength(own) <= LONGEST_PATH && (await isPrivate(folder))) return { path: own, remove };
  const path = join(await mkdtemp(join(tmpdir(), TEMPORARY)), SOCKET);
  await writeFile(join(folder, POINTER), path, { mode: 0o600 });
  return { path, remove };
}

/** Throws StartRefused, which names the file, where something else lies in its place. */
async function removeFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (cause) {
    throw new StartRefused(`DATA_DIR cannot be used: ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** The socket of the service that runs on a folder, if any. It must be this user's own: it is told passwords. */
export async function findPlace(dataDir: string): Promise<string | undefined> {
  const folder = resolve(dataDir);
  if (process.platform === 'win32') return pipeName(folder);
  const path = (await pointed(folder)) ?? join(folder, SOCKET);
  const socket = await lstat(path).catch(() => undefined);
  if (!socket) return undefined;
  if (!socket.isSocket() || !(await isOurs(socket.uid, folder)) || !(await isPrivate(dirname(path), folder))) {
    throw new Error(`${path} is not the socket of this user's own service: it is told nothing`);
  }
  return path;
}

const pointed = (folder: string): Promise<string | undefined> =>
  readFile(join(folder, POINTER), 'utf8').catch(() => undefined);

const isTemporary = (path: string): boolean => dirname(path).startsWith(join(tmpdir(), TEMPORARY));

/** The administrator of the machine may act for whoever owns the data folder. */
async function isOurs(owner: number, dataFolder: string): Promise<boolean> {
  const me = process.getuid?.();
  return owner === me || (me === 0 && owner === (await lstat(dataFolder)).uid);
}

async function isPrivate(folder: string, dataFolder = folder): Promise<boolean> {
  const found = await lstat(folder);
  return found.isDirectory() && (found.mode & OTHERS) === 0 && (await isOurs(found.uid, dataFolder));
}
