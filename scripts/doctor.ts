import { openInstruments } from '../src/compose-copies.js';
import { parseConfig } from '../src/config.js';
import { systemClock } from '../src/kernel/values/clock.js';
import { misspeltLine, misspeltSettings } from '../src/misspelt-settings.js';
import { examine } from '../src/operations/doctor/examination.js';
import type { Finding } from '../src/operations/doctor/findings.js';
import { lineOf, note, ok, wrong } from '../src/operations/doctor/findings.js';
import { asksForHelp } from './help.js';
import { messageOf } from '../src/kernel/values/message-of.js';

/** Says in plain words what is wrong with an installation and what to do about it. */

const USAGE =
  'usage: npm run -s doctor   looks at settings, folders, servers, certificates and backups; exit code 1 when something is wrong';

async function findings(): Promise<readonly Finding[]> {
  let config;
  try {
    config = parseConfig(process.env);
  } catch (error) {
    return [wrong('settings', messageOf(error))];
  }
  const misspelt = misspeltSettings(Object.keys(process.env)).map((slip) => note('settings', misspeltLine(slip)));
  const examined = await examine(config, openInstruments(config, systemClock()));
  return [ok('settings', 'they can be read'), ...misspelt, ...examined];
}

const words = process.argv.slice(2);
if (asksForHelp(words)) {
  process.stdout.write(`${USAGE}\n`);
} else if (words.length > 0) {
  process.stderr.write(`it takes no words\n${USAGE}\n`);
  process.exitCode = 2;
} else {
  const found = await findings();
  process.stdout.write(`${found.map(lineOf).join('\n')}\n`);
  if (found.some(({ state }) => state === 'wrong')) process.exitCode = 1;
}
