import { backUp } from '../src/compose-copies.js';
import { systemClock } from '../src/kernel/values/clock.js';
import { runProgram, WrongWords } from './program.js';

/** Copies the log, the vault and the generated secrets into a folder: again and again the same one, of which only what is new is written. */

const USAGE =
  'usage: npm run -s backup -- DIR   copies what is new of DATA_DIR into DIR, beside a running service or without one';

await runProgram(USAGE, async (words, config) => {
  const [directory, ...more] = words;
  if (directory === undefined || directory.startsWith('-')) throw new WrongWords('DIR is missing');
  if (more.length > 0) throw new WrongWords(`DIR is all that it takes, not ${more.join(' ')}`);
  return backUp(config, directory, systemClock());
});
