import { asksForHelp } from './help.js';
import { InvalidName, namesOf } from './new-feature/names.js';
import { writeFeature } from './new-feature/write-feature.js';

const USAGE = `npm run new-feature -- PLURAL [SINGULAR]     for example: loyalty-cards, or dishes dish`;

if (asksForHelp(process.argv.slice(2))) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
const [plural, singular, ...more] = process.argv.slice(2);

try {
  if (plural === undefined || more.length > 0) throw new InvalidName('a feature has one name, or two');
  const paths = await writeFeature(process.cwd(), namesOf(plural, singular));
  process.stdout.write(`${paths.join('\n')}

The lists of features, permissions, read models and histories name it now, and test/support/route-examples.ts what its routes take. Next: its fields in
events.ts, its rules in decider.ts with a sentence each in its test, its words in permissions.ts and history.ts. At last the
format of the log, as test/log-format.test.ts asks.
`);
} catch (error) {
  if (!(error instanceof InvalidName)) throw error;
  process.stderr.write(`${error.message}\n${USAGE}\n`);
  process.exitCode = 2;
}
