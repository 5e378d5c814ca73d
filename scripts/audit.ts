import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { destination, pino } from 'pino';
import type { z } from 'zod';
import { checkpointsOfDays, openArchive } from '../src/compose.js';
import type { Config } from '../src/config.js';
import { parseConfig } from '../src/config.js';
import { systemClock } from '../src/kernel/values/clock.js';
import { queryMoment } from '../src/kernel/values/days.js';
import { exportStore } from './audit/export.js';
import { checkpointFile, proofFaults, proofFile } from './audit/proof-check.js';
import { verifyLog } from './audit/verify.js';
import { asksForHelp } from './help.js';
import { messageOf } from '../src/kernel/values/message-of.js';

/** What an auditor does with the log itself, beside a running service or without one. */

const USAGE = [
  'usage:',
  '  npm run -s audit -- export --store SLUG [--from TIME] [--to TIME]   events as JSON lines, a manifest on standard error; a day is one of the store',
  '  npm run -s audit -- verify [--checkpoint FILE [--key PUBLIC_KEY]]   every chain, the tree, the checkpoints of days in DATA_DIR, and one kept elsewhere',
  '  npm run -s audit -- check-proof FILE [--key PUBLIC_KEY]             an answer of GET /audit/proofs/{eventId}',
].join('\n');

class WrongUsage extends Error {}

const text = { type: 'string' } as const;
const options = { store: text, from: text, to: text, checkpoint: text, key: text };
const KEY_BYTES = 32;

function asked() {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw new WrongUsage(messageOf(error));
  }
}

/** Which flags a command takes: what another would do nothing with is a slip that somebody relies on. */
const FLAGS: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ['export', ['store', 'from', 'to']],
  ['verify', ['checkpoint', 'key']],
  ['check-proof', ['key']],
]);

function expectFlags(command: string | undefined, values: ReturnType<typeof asked>['values']): void {
  const taken = FLAGS.get(command) ?? Object.keys(values);
  const other = Object.keys(values).find((flag) => !taken.includes(flag));
  if (other !== undefined) throw new WrongUsage(`${String(command)} takes no --${other}`);
  if (command === 'verify' && values.key !== undefined && values.checkpoint === undefined) {
    throw new WrongUsage('--key checks the signature of a checkpoint: --checkpoint is missing');
  }
}

/** What stands behind the flags that take more than a name. */
function expectValues({ from, to, key }: ReturnType<typeof asked>['values']): void {
  const wrong = [from, to].find((time) => time !== undefined && !queryMoment.safeParse(time).success);
  if (wrong !== undefined) throw new WrongUsage(`${wrong} is no day and no time such as 2026-11-21T12:00:00Z`);
  if (key !== undefined && Buffer.from(key, 'base64').length !== KEY_BYTES) {
    throw new WrongUsage(`--key takes a public key: ${KEY_BYTES} bytes in base64`);
  }
}

/** What a file holds, as it was answered by the service. */
async function readAnswer<Schema extends z.ZodType>(path: string, route: string, schema: Schema) {
  const content = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  });
  const answer = schema.safeParse(jsonIn(content));
  if (!answer.success) {
    const lacking = answer.error.issues[0]?.path.join('.') ?? '';
    throw new Error(`${path} holds no answer of GET ${route}${lacking === '' ? '' : ` (${lacking})`}`);
  }
  return answer.data;
}

/** Undefined, which no answer is, where it is no JSON. */
function jsonIn(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

const archive = (config: Config) => {
  // Standard output holds the answer alone.
  const logger = pino({ level: 'warn' }, destination({ fd: process.stderr.fd, sync: true }));
  return openArchive({ config, clock: systemClock(), logger });
};

function say(answer: { readonly ok: boolean }): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  if (!answer.ok) process.exitCode = 1;
}

async function run(): Promise<void> {
  const { values, positionals } = asked();
  const [command, file, ...rest] = positionals;
  expectValues(values);
  expectFlags(command, values);
  if (rest.length > 0 || (file !== undefined && command !== 'check-proof')) throw new WrongUsage('too many words');
  switch (command) {
    case 'export': {
      if (values.store === undefined) throw new WrongUsage('--store is missing');
      const log = await archive(parseConfig(process.env));
      const { store, from, to } = values;
      await exportStore(log, { store, from, to }, process.stdout, process.stderr).finally(() => log.close());
      return;
    }
    case 'verify': {
      const known =
        values.checkpoint === undefined
          ? undefined
          : await readAnswer(values.checkpoint, '/audit/checkpoint', checkpointFile);
      const config = parseConfig(process.env);
      // Before the log is: of what is kept while it is gone through, it may not have all.
      const daily = await checkpointsOfDays(config).all();
      const log = await archive(config);
      const wish = { daily, checkpoint: known, key: values.key };
      say(await verifyLog(log, wish, process.stderr).finally(() => log.close()));
      return;
    }
    case 'check-proof': {
      if (file === undefined) throw new WrongUsage('the file is missing');
      const faults = proofFaults(await readAnswer(file, '/audit/proofs/{eventId}', proofFile), values.key);
      say({ ok: faults.length === 0, ...(faults.length === 0 ? {} : { faults }) });
      return;
    }
    default:
      throw new WrongUsage(command === undefined ? 'a command is missing' : `unknown command: ${command}`);
  }
}

if (asksForHelp(process.argv.slice(2))) {
  process.stdout.write(`${USAGE}\n`);
} else {
  try {
    await run();
  } catch (error) {
    const wrong = error instanceof WrongUsage;
    process.stderr.write(`${messageOf(error)}${wrong ? `\n${USAGE}` : ''}\n`);
    process.exitCode = wrong ? 2 : 1;
  }
}
