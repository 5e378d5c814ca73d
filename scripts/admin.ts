import { pino } from 'pino';
import { parseCommand, usage } from '../src/operations/administration-commands.js';
import { runCommand } from '../src/operations/administration-socket.js';
import { systemClock } from '../src/kernel/values/clock.js';
import { openCore } from '../src/service.js';
import { runCommandLine } from './command-line.js';

/** The administration command line. */

await runCommandLine({
  usage,
  parse: parseCommand,
  async runHere(config, name, input) {
    const core = await openCore({ config, clock: systemClock(), logger: pino({ level: 'silent' }) });
    try {
      return await runCommand(core.administration, name, input);
    } finally {
      await core.close();
    }
  },
});
