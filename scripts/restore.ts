import { z } from 'zod';
import { restore } from '../src/compose-copies.js';
import { systemClock } from '../src/kernel/values/clock.js';
import { runProgram, WrongWords } from './program.js';

/** Makes an empty DATA_DIR from a backup. */

const USAGE = [
  'usage: npm run -s restore -- DIR [--at TIME|POSITION]   makes the empty DATA_DIR what was backed up in DIR',
  '  TIME such as 2026-11-22T10:15:00Z; POSITION the number of the last event that stays',
].join('\n');

const POSITION = /^\d{1,16}$/;
const TIME = z.iso.datetime({ offset: true });

function momentOf(text: string) {
  if (POSITION.test(text)) return { position: Number(text) };
  if (!TIME.safeParse(text).success) throw new WrongWords(`--at takes a TIME with its zone or a POSITION, not ${text}`);
  const time = Date.parse(text);
  // A moment without fractions is the whole second.
  return { time: text.includes('.') ? time : time + 999 };
}

await runProgram(USAGE, async (words, config) => {
  const [directory, flag, at, ...more] = words;
  if (directory === undefined || directory.startsWith('-')) throw new WrongWords('DIR is missing');
  if (flag !== undefined && flag !== '--at') throw new WrongWords(`unknown: ${flag}`);
  if (flag !== undefined && at === undefined) throw new WrongWords('--at takes a TIME or a POSITION');
  if (more.length > 0) throw new WrongWords(`too many words: ${more.join(' ')}`);
  const moment = at === undefined ? undefined : momentOf(at);
  const done = await restore(config, { directory, at: moment }, systemClock());
  if (moment?.time !== undefined && moment.time > Date.parse(done.backupAt)) {
    process.stderr.write(`the backup was made at ${done.backupAt}: nothing of later is in it\n`);
  }
  return done;
});
