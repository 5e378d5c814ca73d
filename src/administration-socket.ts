import { createHash } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Administration } from './administration.js';
import { commands } from './administration-commands.js';

/** The running service takes administration commands over a socket in its data folder, one JSON line each way. */

const LONGEST_SOCKET_PATH = 100;
const request = z
  .string()
  .transform((line, context): unknown => {
    try {
      return JSON.parse(line);
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.object({ name: z.string(), input: z.unknown() }));
const answer = z.union([z.object({ result: z.record(z.string(), z.unknown()) }), z.object({ error: z.string() })]);
export type AdministrationAnswer = z.output<typeof answer>;

function socketPath(dataDir: string): string {
  const folder = resolve(dataDir);
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\store-management-${digest}`;
  const path = join(folder, 'admin.sock');
  // The system's limit for socket paths is about 108 bytes.
  return Buffer.byteLength(path) <= LONGEST_SOCKET_PATH ? path : join(tmpdir(), `store-management-${digest}.sock`);
}

export async function runCommand(
  administration: Administration,
  name: string,
  input: unknown,
): Promise<AdministrationAnswer> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return { error: `unknown command: ${name}` };
  try {
    return { result: { ...(await command.run(administration, input)) } };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

export async function serveAdministration(dataDir: string, administration: Administration): Promise<Server> {
  const path = socketPath(dataDir);
  await rm(path, { force: true }); // left by a process that was killed: the data folder is ours alone
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    createInterface({ input: socket }).on('line', (line) => {
      const parsed = request.safeParse(line);
      if (!parsed.success) {
        socket.destroy();
        return;
      }
      void runCommand(administration, parsed.data.name, parsed.data.input).then((done) => {
        socket.end(`${JSON.stringify(done)}\n`);
      });
    });
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(path, done);
  });
  if (process.platform !== 'win32') await chmod(path, 0o600);
  return server;
}

/** Undefined when no service runs on the folder. */
export function askRunningService(
  dataDir: string,
  name: string,
  input: unknown,
): Promise<AdministrationAnswer | undefined> {
  return new Promise((done, fail) => {
    const socket = connect(socketPath(dataDir));
    socket.on('connect', () => socket.write(`${JSON.stringify({ name, input })}\n`));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') done(undefined);
      else fail(error);
    });
    createInterface({ input: socket }).on('line', (line) => {
      done(answer.parse(JSON.parse(line)));
      socket.end();
    });
    socket.on('close', () => {
      fail(new Error('the service closed the connection'));
    });
  });
}
