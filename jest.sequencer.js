import TestSequencer from '@jest/test-sequencer';

/** Here tests start programs and servers: what takes long must not begin last. */
const SLOW = /[\\/]dist[\\/]test[\\/](?:faults|servers|scripts|adapters|console|demo)[\\/]/;

/** The longest first, as Jest itself knows after a first run; before it, as on a fresh checkout, by folder. */
export default class extends TestSequencer {
  sort(tests) {
    const isSlow = ({ duration, path }) => duration === undefined && SLOW.test(path);
    return super.sort(tests).toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a)));
  }
}
