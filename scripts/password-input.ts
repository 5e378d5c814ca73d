import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** A password from a prompt that does not show it or, where no terminal is, the first line of standard input. */
export async function readPassword(): Promise<string | undefined> {
  if (!process.stdin.isTTY) {
    const [first = ''] = (await text(process.stdin)).split(/\r?\n/);
    return first === '' ? undefined : first;
  }
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
