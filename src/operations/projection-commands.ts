import type { Logger } from 'pino';
import { z } from 'zod';
import type { OperatorCommand } from './administration-commands.js';
import { WrongUsage, command } from './administration-commands.js';
import type { ProjectionCheck } from './projection-check.js';
import type { ProjectionHealth, Projections } from '../kernel/projections/projections.js';

/** What operators do with projections, by the words of the command line. */

const GROUP = 'projections';

export interface OperatedProjections {
  readonly projections: Projections;
  readonly logger: Logger;
  /** Compares everything with a replay. */
  readonly check: () => Promise<ProjectionCheck>;
}

const healthOf = ({ projections }: OperatedProjections, wanted: string): ProjectionHealth => {
  const health = projections.health().find(({ name }) => name === wanted);
  if (!health) throw new Error(`there is no projection ${wanted}`);
  return health;
};

const name = z.string().min(1);

/** Stands for every projection, where one is named. */
const ALL = 'all';

/** In one reading of the log. */
async function rebuildAll({ projections }: OperatedProjections) {
  await projections.rebuild(...projections.health().map(({ name: each }) => each));
  return { projections: projections.health() };
}

export const projectionCommands: Readonly<Record<string, OperatorCommand<OperatedProjections>>> = {
  'projections status': command(z.strictObject({}), '', ({ projections }) =>
    Promise.resolve({ projections: projections.health() }),
  ),
  'projections rebuild': command(
    z.strictObject({ name }),
    `NAME, or ${ALL}`,
    async (operated: OperatedProjections, { name: wanted }) => {
      if (wanted === ALL) return rebuildAll(operated);
      healthOf(operated, wanted);
      await operated.projections.rebuild(wanted);
      return healthOf(operated, wanted);
    },
  ),
  'projections verify': command(z.strictObject({}), '', ({ check }) => check()),
  'projections skip': command(
    z.strictObject({ name, position: z.string() }),
    'NAME POSITION',
    async (operated: OperatedProjections, { name: wanted, position }) => {
      const { poison } = healthOf(operated, wanted);
      await operated.projections.skip(wanted, position);
      operated.logger.warn({ projection: wanted, position, poison }, 'an operator had an event skipped');
      await operated.projections.caughtUp();
      return healthOf(operated, wanted);
    },
  ),
};

export const projectionUsage = (): string =>
  [
    'usage:',
    ...Object.entries(projectionCommands).map(([words, { usage }]) =>
      `  npm run -s projections -- ${words.slice(GROUP.length + 1)} ${usage}`.trimEnd(),
    ),
  ].join('\n');

/** Turns command line words into a command and its checked input. */
export function parseProjectionCommand(words: readonly string[]): { readonly name: string; readonly input: unknown } {
  const [word = '', ...values] = words;
  const name = `${GROUP} ${word}`;
  const found = Object.hasOwn(projectionCommands, name) ? projectionCommands[name] : undefined;
  if (!found) throw new WrongUsage(word === '' ? 'a command is missing' : `unknown command: ${word}`);
  const members = Object.keys(found.input.shape);
  if (values.length !== members.length)
    throw new WrongUsage(`${word} takes ${members.join(' and ') || 'nothing more'}`);
  return { name, input: Object.fromEntries(members.map((member, index) => [member, values[index]])) };
}
