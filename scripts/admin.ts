import { pino } from 'pino';
import { lacksPassword, parseCommand, readable, usage } from '../src/operations/administration-commands.js';
import { runCommand } from '../src/operations/administration-socket.js';
import { systemClock } from '../src/kernel/values/clock.js';
import { runCommandLine } from './command-line.js';

/** The administration command line. */

await runCommandLine({
  usage,
  parse: parseCommand,
  lacksPassword,
  readable,
  async runHere(config, name, input) {
    // Loaded only where no service runs: the answer of a running one comes sooner without it.
    const { openCore } = await import('../src/core.js');
    const core = await openCore({ config, clock: systemClock(), logger: pino({ level: 'silent' }) });
    try {
      return await runCommand(core.administration, name, input);
    } finally {
      await core.close();
    }
  },
});
