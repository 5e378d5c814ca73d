import { pino } from 'pino';
import { parseConfig } from '../../src/config.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { openService } from '../../src/service.js';

/** Opens a service that cannot open, says why, and ends by itself only when nothing was left open. */
const surroundings = { config: parseConfig(process.env), clock: systemClock(), logger: pino({ level: 'silent' }) };
try {
  await openService(surroundings);
} catch (error) {
  process.stdout.write(`${String(error)}\n`);
}
