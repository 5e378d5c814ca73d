import { pino } from 'pino';
import { WrongUsage, parseCommand, usage } from '../src/administration-commands.js';
import type { AdministrationAnswer } from '../src/administration-socket.js';
import { askRunningService, runCommand } from '../src/administration-socket.js';
import { parseConfig } from '../src/config.js';
import { systemClock } from '../src/kernel/clock.js';
import { openCore } from '../src/service.js';

/** The administration command line: through the running service where there is one, otherwise on the data itself. */

async function answerFor(words: readonly string[]): Promise<AdministrationAnswer> {
  const { name, input } = parseCommand(words);
  const config = parseConfig(process.env);
  const answered = await askRunningService(config.DATA_DIR, name, input);
  if (answered) return answered;
  const core = await openCore({ config, clock: systemClock(), logger: pino({ level: 'silent' }) });
  try {
    return await runCommand(core.administration, name, input);
  } finally {
    await core.close();
  }
}

try {
  const answer = await answerFor(process.argv.slice(2));
  if ('result' in answer) process.stdout.write(`${JSON.stringify(answer.result)}\n`);
  else {
    process.stderr.write(`${answer.error}\n`);
    process.exitCode = 1;
  }
} catch (error) {
  const wrong = error instanceof WrongUsage;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${wrong ? `${usage()}\n` : ''}`);
  process.exitCode = wrong ? 2 : 1;
}
