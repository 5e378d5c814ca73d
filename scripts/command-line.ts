import { asksForHelp } from './help.js';
import { readPassword } from './password-input.js';
import { WrongUsage } from '../src/operations/administration-commands.js';
import type { AdministrationAnswer } from '../src/operations/administration-socket.js';
import { askRunningService } from '../src/operations/administration-socket.js';
import type { Config } from '../src/config.js';
import { parseConfig } from '../src/config.js';
import { closeWhatIsMade } from '../src/private-folder.js';

export interface CommandLine {
  readonly usage: () => string;
  readonly parse: (words: readonly string[], password?: string) => { readonly name: string; readonly input: unknown };
  /** Whether a password must come from elsewhere. */
  readonly lacksPassword?: (words: readonly string[]) => boolean;
  /** Runs the command on the data itself, where no service runs. */
  readonly runHere: (config: Config, name: string, input: unknown) => Promise<AdministrationAnswer>;
}

/** Runs one command, through the running service where there is one, and prints one JSON line. */
export async function runCommandLine({ usage, parse, lacksPassword, runHere }: CommandLine): Promise<void> {
  closeWhatIsMade();
  const words = process.argv.slice(2);
  if (asksForHelp(words)) {
    process.stdout.write(`${usage()}\n`);
    return;
  }
  try {
    const { name, input } = parse(words, lacksPassword?.(words) === true ? await readPassword() : undefined);
    const config = parseConfig(process.env);
    const answer = (await askRunningService(config.DATA_DIR, name, input)) ?? (await runHere(config, name, input));
    if ('result' in answer) process.stdout.write(`${JSON.stringify(answer.result)}\n`);
    else fail(answer.error, 1);
  } catch (error) {
    const wrong = error instanceof WrongUsage;
    fail(`${error instanceof Error ? error.message : String(error)}${wrong ? `\n${usage()}` : ''}`, wrong ? 2 : 1);
  }
}

function fail(reason: string, code: number): void {
  process.stderr.write(`${reason}\n`);
  process.exitCode = code;
}
