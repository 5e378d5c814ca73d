import { parseArgs } from 'node:util';
import type { MoveAsked } from '../src/compose-copies.js';
import { moveInstallation } from '../src/compose-copies.js';
import { parseConfig } from '../src/config.js';
import { runProgram, WrongWords } from './program.js';
import { messageOf } from '../src/kernel/values/message-of.js';

/** Brings an installation from its data folder to servers, or back. The service is stopped meanwhile. */

const USAGE = [
  'usage:',
  '  npm run -s move -- --to-eventstore URL --to-mongodb URL       from DATA_DIR to empty servers; one of them alone may be named',
  '  npm run -s move -- --from-eventstore URL --from-mongodb URL   from servers into an empty DATA_DIR',
].join('\n');

const url = { type: 'string' } as const;
const options = { 'to-eventstore': url, 'to-mongodb': url, 'from-eventstore': url, 'from-mongodb': url };

function asked(words: readonly string[]): MoveAsked {
  let values;
  try {
    ({ values } = parseArgs({ args: [...words], options }));
  } catch (error) {
    throw new WrongWords(messageOf(error));
  }
  const to = { eventStoreUrl: values['to-eventstore'], mongoUrl: values['to-mongodb'] };
  const from = { eventStoreUrl: values['from-eventstore'], mongoUrl: values['from-mongodb'] };
  const isNamed = ({ eventStoreUrl, mongoUrl }: typeof to) => eventStoreUrl !== undefined || mongoUrl !== undefined;
  if (isNamed(to) === isNamed(from)) throw new WrongWords('a move goes to servers or comes from them');
  return isNamed(to) ? { direction: 'to', ...to } : { direction: 'from', ...from };
}

await runProgram(USAGE, async (words, config) => {
  const wish = asked(words);
  // Addresses are read as the service will read them.
  const { EVENTSTORE_URL, MONGODB_URL } = parseConfig({
    EVENTSTORE_URL: wish.eventStoreUrl,
    MONGODB_URL: wish.mongoUrl,
  });
  return moveInstallation(config, { ...wish, eventStoreUrl: EVENTSTORE_URL, mongoUrl: MONGODB_URL }, (events) => {
    process.stderr.write(`${String(events)} events\n`);
  });
});
