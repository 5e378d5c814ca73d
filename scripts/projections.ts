import { destination, pino } from 'pino';
import { runProjectionCommand } from '../src/operations/administration-socket.js';
import { systemClock } from '../src/kernel/values/clock.js';
import { parseProjectionCommand, projectionUsage } from '../src/operations/projection-commands.js';
import { checkOf, openCore } from '../src/core.js';
import { runCommandLine } from './command-line.js';

/** Looks after projections: how far they are, building one again, comparing all with a replay, going on after a poison event. */

await runCommandLine({
  usage: projectionUsage,
  parse: parseProjectionCommand,
  async runHere(config, name, input) {
    // Standard output holds the answer alone.
    const logger = pino({ level: 'warn' }, destination({ fd: process.stderr.fd, sync: true }));
    const clock = systemClock();
    const core = await openCore({ config, clock, logger });
    const projections = await core.engines.startProjections();
    try {
      await projections.caughtUp();
      return await runProjectionCommand({ projections, logger, check: checkOf(core, projections, clock) }, name, input);
    } finally {
      await projections.close();
      await core.close();
    }
  },
});
