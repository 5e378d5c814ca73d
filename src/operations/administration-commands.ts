import { z } from 'zod';
import type { Administration } from './administration.js';
import { createApiKeyInput, createOwnedStoreInput, createUserInput, setPlanInput } from './administration.js';
import { ofStoreInput, resetUserInput, revokeKeyInput, userInput } from './user-administration.js';
import type { FiscalCheckResult } from './fiscal-administration.js';
import { fiscalCheckInput, fiscalCheckLines } from './fiscal-administration.js';
import { validationMessages } from '../kernel/values/validation-messages.js';

/** The commands of the administration command line, by their words. */

export interface OperatorCommand<On> {
  readonly input: z.ZodObject;
  readonly usage: string;
  run(on: On, input: unknown): Promise<object>;
}

export function command<On, S extends z.ZodObject>(
  input: S,
  usage: string,
  run: (on: On, input: z.output<S>) => Promise<object>,
): OperatorCommand<On> {
  return { input, usage, run: (on, given) => run(on, input.parse(given)) };
}

export const commands: Readonly<Record<string, OperatorCommand<Administration>>> = {
  'store create': command(
    createOwnedStoreInput,
    '--slug S --name N [--segment RETAIL|BAKERY|INDUSTRIAL] [--activity-code 4721102] [--time-zone Z] [--plan basic|api] [--require-two-factor] --username U --email E [--password P]',
    (administration, input) => administration.createOwnedStore(input),
  ),
  'store set-plan': command(setPlanInput, '--store S --plan basic|api', (administration, input) =>
    administration.setPlan(input),
  ),
  'store list': command(z.strictObject({}), '', (administration) => administration.listStores()),
  'user list': command(ofStoreInput, '--store S', ({ users }, input) => users.list(input)),
  'user disable': command(userInput, '--store S --username U', ({ users }, input) => users.setActive(input, false)),
  'user enable': command(userInput, '--store S --username U', ({ users }, input) => users.setActive(input, true)),
  'user reset': command(
    resetUserInput,
    '--store S --username U [--password P] [--remove-second-factor]',
    ({ users }, input) => users.reset(input),
  ),
  'user create': command(
    createUserInput,
    '--store S --username U --email E [--password P] --role OWNER|MANAGER|CASHIER|BAKER|ACCOUNTANT [--name N]',
    (administration, input) => administration.createUser(input),
  ),
  'api-key create': command(createApiKeyInput, '--store S --name N [--permissions all|a,b]', (administration, input) =>
    administration.createApiKey(input),
  ),
  'api-key list': command(ofStoreInput, '--store S', ({ users }, input) => users.listKeys(input)),
  'api-key revoke': command(revokeKeyInput, '--store S --id I', ({ users }, input) => users.revokeKey(input)),
  'fiscal check': command(fiscalCheckInput, '--store S [--model 55|65] [--json]', ({ fiscal }, input) =>
    fiscal.check(input),
  ),
};

/** For eyes, where the answer is not wanted as JSON; undefined of commands that have no such form. */
export const readable: Readonly<Record<string, (result: object) => string>> = {
  'fiscal check': (result) => fiscalCheckLines(result as FiscalCheckResult),
};

export const usage = (): string =>
  [
    'usage:',
    ...Object.entries(commands).map(([words, { usage: flags }]) => `  npm run -s admin -- ${words} ${flags}`.trimEnd()),
    'A password that is not given is asked for, or read from standard input.',
  ].join('\n');

/** Whether the command of these words wants a password that they do not hold. */
export function lacksPassword(words: readonly string[]): boolean {
  const name = words.slice(0, 2).join(' ');
  const shape = Object.hasOwn(commands, name) ? commands[name]?.input.shape : undefined;
  return shape !== undefined && 'password' in shape && !words.includes('--password');
}

export class WrongUsage extends Error {}

const camelCase = (flag: string): string => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Turns command line words, and a password that came apart from them, into a command and its checked input. */
export function parseCommand(
  words: readonly string[],
  password?: string,
): { readonly name: string; readonly input: unknown } {
  const name = words.slice(0, 2).join(' ');
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!found) throw new WrongUsage(name === '' ? 'a command is missing' : `unknown command: ${name}`);
  const input: Record<string, unknown> = password === undefined ? {} : { password };
  for (let index = 2; index < words.length; index++) {
    const flag = /^--([a-z][a-z-]*)$/.exec(words[index] ?? '')?.[1];
    if (flag === undefined) throw new WrongUsage(`unexpected: ${words[index] ?? ''}`);
    const member = camelCase(flag);
    if (Object.hasOwn(input, member)) throw new WrongUsage(`given twice: --${flag}`);
    const next = words[index + 1];
    if (next === undefined || next.startsWith('--')) input[member] = true;
    else {
      input[member] = next;
      index += 1;
    }
  }
  const checked = found.input.safeParse(input, { error: validationMessages });
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new WrongUsage(`${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
  }
  return { name, input };
}
