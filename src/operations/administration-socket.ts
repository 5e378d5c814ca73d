import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Administration } from './administration.js';
import type { OperatorCommand } from './administration-commands.js';
import { commands } from './administration-commands.js';
import type { OperatedProjections } from './projection-commands.js';
import { projectionCommands } from './projection-commands.js';
import { findPlace, makePlace } from './socket-place.js';
import { messageOf } from '../kernel/values/message-of.js';

/** The running service takes administration commands over a socket that is its user's own, one JSON text each way. */

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
    return { error: messageOf(error) };
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

type AnswerCommand = (name: string, input: unknown) => Promise<AdministrationAnswer>;

interface AdministrationServer {
  /** Takes no more commands, and lets those that run finish for a while. */
  close(): Promise<void>;
}

export async function serveAdministration(dataDir: string, answer: AnswerCommand): Promise<AdministrationServer> {
  const place = await makePlace(dataDir);
  const { path } = place;
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
      await place.remove();
    },
  };
}

/** Undefined when no service runs on the folder. Rejects when the signal aborts before there is an answer. */
export async function askRunningService(
  dataDir: string,
  name: string,
  input: unknown,
  signal?: AbortSignal,
): Promise<AdministrationAnswer | undefined> {
  const path = await findPlace(dataDir);
  if (path === undefined) return undefined;
  const socket = connect({ path, ...(signal && { signal }) });
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
