import type { Config } from '../src/config.js';
import { parseConfig } from '../src/config.js';
import { closeWhatIsMade } from '../src/private-folder.js';
import { asksForHelp } from './help.js';
import { messageOf } from '../src/kernel/values/message-of.js';

/** The words do not say what is wanted: usage and exit code 2. */
export class WrongWords extends Error {}

/** Runs a program that prints one JSON line; exit code 1 with one line of reasons when it cannot, 2 when it was asked wrongly. */
export async function runProgram(
  usage: string,
  run: (words: readonly string[], config: Config) => Promise<object>,
): Promise<void> {
  closeWhatIsMade();
  const words = process.argv.slice(2);
  if (asksForHelp(words)) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  try {
    process.stdout.write(`${JSON.stringify(await run(words, parseConfig(process.env)))}\n`);
  } catch (error) {
    const wrong = error instanceof WrongWords;
    process.stderr.write(`${messageOf(error)}${wrong ? `\n${usage}` : ''}\n`);
    process.exitCode = wrong ? 2 : 1;
  }
}
