import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Administration } from './administration.js';
import type { OperatorCommand } from './administration-commands.js';
import { commands } from './administration-commands.js';
import type { OperatedProjections } from './projection-commands.js';
import { projectionCommands } from './projection-commands.js';

/** The running service takes administration commands over a socket in its data folder, one JSON text each way. */

const LONGEST_SOCKET_PATH = 100;
const STOP_MILLISECONDS = 5_000;
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

async function run<On>(
  among: Readonly<Record<string, OperatorCommand<On>>>,
  on: On,
  name: string,
  input: unknown,
): Promise<AdministrationAnswer> {
  const command = Object.hasOwn(among, name) ? among[name] : undefined;
  if (!command) return { error: `unknown command: ${name}` };
  try {
    return { result: { ...(await command.run(on, input)) } };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

export const runCommand = (
  administration: Administration,
  name: string,
  input: unknown,
): Promise<AdministrationAnswer> => run(commands, administration, name, input);

export const runProjectionCommand = (
  operated: OperatedProjections,
  name: string,
  input: unknown,
): Promise<AdministrationAnswer> => run(projectionCommands, operated, name, input);

export type AnswerCommand = (name: string, input: unknown) => Promise<AdministrationAnswer>;

export interface AdministrationServer {
  /** Takes no more commands, and lets those that run finish for a while. */
  close(): Promise<void>;
}

export async function serveAdministration(dataDir: string, answer: AnswerCommand): Promise<AdministrationServer> {
  const path = socketPath(dataDir);
  await rm(path, { force: true }); // left by a process that was killed: the data folder is ours alone
  const asking = new Set<Socket>();
  const answering = new Set<Socket>();
  const answerTo = async (socket: Socket, said: string): Promise<void> => {
    const { name, input } = request.parse(said);
    answering.add(socket);
    socket.end(JSON.stringify(await answer(name, input)));
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let said = '';
    asking.add(socket);
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => (said += piece));
    socket.on('end', () => {
      asking.delete(socket);
      answerTo(socket, said).catch(() => socket.destroy());
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      asking.delete(socket);
      answering.delete(socket);
    });
  });
  server.listen(path);
  await once(server, 'listening');
  if (process.platform !== 'win32') await chmod(path, 0o600);
  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of asking) socket.destroy();
      const deadline = setTimeout(() => {
        for (const socket of answering) socket.destroy();
      }, STOP_MILLISECONDS);
      await closed;
      clearTimeout(deadline);
    },
  };
}

/** Undefined when no service runs on the folder. */
export async function askRunningService(
  dataDir: string,
  name: string,
  input: unknown,
): Promise<AdministrationAnswer | undefined> {
  const socket = connect(socketPath(dataDir));
  try {
    await once(socket, 'connect');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw error;
  }
  socket.end(JSON.stringify({ name, input }));
  const said = await text(socket);
  if (said === '') throw new Error('the service closed the connection');
  return answer.parse(JSON.parse(said));
}
