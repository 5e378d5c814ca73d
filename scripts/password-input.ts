import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Readable } from 'node:stream';

/** Another program's pipe may stay open and silent for ever; what asks somebody for a secret first takes its time. */
const SILENCE = 30_000;

/** The first line; undefined when it is empty or does not come. */
export async function firstLine(input: Readable, silence = SILENCE): Promise<string | undefined> {
  const lines = createInterface({ input });
  const line = await new Promise<string>((resolve) => {
    const end = () => {
      resolve('');
    };
    const waiting = setTimeout(end, silence);
    lines.once('line', resolve).once('close', end);
    lines.once('close', () => {
      clearTimeout(waiting);
    });
  });
  lines.close();
  input.destroy();
  return line === '' ? undefined : line;
}

/** A password from a prompt that does not show it or, where no terminal is, the first line of standard input. */
export async function readPassword(): Promise<string | undefined> {
  if (!process.stdin.isTTY) return firstLine(process.stdin);
  process.stderr.write('password: ');
  const unseen = new Writable({
    write(_piece, _encoding, done) {
      done();
    },
  });
  const asking = createInterface({ input: process.stdin, output: unseen, terminal: true });
  const typed = await new Promise<string>((resolve) => {
    asking.question('', resolve);
    asking.on('close', () => {
      resolve('');
    });
  });
  asking.close();
  process.stderr.write('\n');
  return typed === '' ? undefined : typed;
}
