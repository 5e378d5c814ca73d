import { constants } from 'node:os';
import { asksForHelp } from './help.js';
import { readPassword } from './password-input.js';
import { WrongUsage } from '../src/operations/administration-commands.js';
import type { AdministrationAnswer } from '../src/operations/administration-socket.js';
import { askRunningService } from '../src/operations/administration-socket.js';
import type { Config } from '../src/config.js';
import { parseConfig } from '../src/config.js';
import { closeWhatIsMade } from '../src/private-folder.js';
import { messageOf } from '../src/kernel/values/message-of.js';

interface Command {
  readonly name: string;
  readonly input: unknown;
}

interface CommandLine {
  readonly usage: () => string;
  readonly parse: (words: readonly string[], password?: string) => Command;
  /** Whether a password must come from elsewhere. */
  readonly lacksPassword?: (words: readonly string[]) => boolean;
  /** What is printed for eyes where `--json` is not among the words; other commands print JSON always. */
  readonly readable?: Readonly<Record<string, (result: object) => string>>;
  /** Runs the command on the data itself, where no service runs. */
  readonly runHere: (config: Config, name: string, input: unknown) => Promise<AdministrationAnswer>;
}

/** Runs one command, through the running service where there is one, and prints one JSON line. */
export async function runCommandLine({
  usage,
  parse,
  lacksPassword,
  readable = {},
  runHere,
}: CommandLine): Promise<void> {
  closeWhatIsMade();
  exitOnSignals();
  const given = process.argv.slice(2);
  const shapes = Object.hasOwn(readable, given.slice(0, 2).join(' '));
  const words = shapes ? given.filter((word) => word !== '--json') : given;
  const asText = shapes && words.length === given.length ? readable[words.slice(0, 2).join(' ')] : undefined;
  if (asksForHelp(words)) {
    process.stdout.write(`${usage()}\n`);
    return;
  }
  try {
    const { name, input } = lacksPassword?.(words) === true ? await withPassword(parse, words) : parse(words);
    const config = parseConfig(process.env);
    const answer = (await askRunningService(config.DATA_DIR, name, input)) ?? (await runHere(config, name, input));
    if ('result' in answer) process.stdout.write(`${asText?.(answer.result) ?? JSON.stringify(answer.result)}\n`);
    else fail(answer.error, 1);
    // What was looked for and not found as it should be is no success.
    if ('result' in answer && 'ok' in answer.result && answer.result.ok === false) process.exitCode = 1;
  } catch (error) {
    const wrong = error instanceof WrongUsage;
    fail(`${messageOf(error)}${wrong ? `\n${usage()}` : ''}`, wrong ? 2 : 1);
  }
}

/** What is to be cleared away at the exit would stay if a signal ended the process by itself. */
function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}

const ANY_PASSWORD = 'one that every rule lets pass';

/** Everything else that is wrong is told before anybody is asked for a password. */
async function withPassword(parse: CommandLine['parse'], words: readonly string[]): Promise<Command> {
  parse(words, ANY_PASSWORD);
  return parse(words, await readPassword());
}

function fail(reason: string, code: number): void {
  process.stderr.write(`${reason}\n`);
  process.exitCode = code;
}
