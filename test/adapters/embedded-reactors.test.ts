import { reactorContract } from '../contract/reactors.js';
import { EmbeddedLogs } from '../support/embedded-logs.js';

const logs = new EmbeddedLogs((log) => log);

reactorContract('the embedded log', {
  open: (clock) => logs.open(clock),
  dispose: () => logs.dispose(),
});
