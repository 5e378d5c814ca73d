import { z } from 'zod';
import type { Administration } from './administration.js';
import { createApiKeyInput, createOwnedStoreInput, createUserInput, setPlanInput } from './administration.js';
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
    '--slug S --name N [--segment RETAIL|BAKERY|INDUSTRIAL] [--activity-code 4721102] [--time-zone Z] [--plan basic|api] [--require-two-factor] --username U --email E --password P',
    (administration, input) => administration.createOwnedStore(input),
  ),
  'store set-plan': command(setPlanInput, '--store S --plan basic|api', (administration, input) =>
    administration.setPlan(input),
  ),
  'user create': command(
    createUserInput,
    '--store S --username U --email E --password P --role OWNER|MANAGER|CASHIER|BAKER|ACCOUNTANT [--name N]',
    (administration, input) => administration.createUser(input),
  ),
  'api-key create': command(createApiKeyInput, '--store S --name N [--permissions all|a,b]', (administration, input) =>
    administration.createApiKey(input),
  ),
};

export const usage = (): string =>
  [
    'usage:',
    ...Object.entries(commands).map(([words, { usage: flags }]) => `  npm run -s admin -- ${words} ${flags}`),
  ].join('\n');

export class WrongUsage extends Error {}

const camelCase = (flag: string): string => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Turns command line words into a command and its checked input. */
export function parseCommand(words: readonly string[]): { readonly name: string; readonly input: unknown } {
  const name = words.slice(0, 2).join(' ');
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!found) throw new WrongUsage(`unknown command: ${name}`);
  const input: Record<string, unknown> = {};
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
