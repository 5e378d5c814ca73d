import { beforeAll, expect, test } from '@jest/globals';
import { onMongo } from '../support/on-servers.js';
import type { RoundTrips } from '../support/round-trips.js';
import { MANY, roundTrips } from '../support/round-trips.js';

/** How many requests go to the servers for one of the service's. */

/** Looks at the log that the process makes for itself, spread over what is counted. */
const OWN = 0.5;

await onMongo('round trips', (mongo) => {
  let all: readonly RoundTrips[];

  beforeAll(async () => {
    all = await roundTrips(mongo);
  }, 300_000);

  /** One at least. */
  const of = (begin: string, clients: number): readonly RoundTrips[] => {
    const counted = all.filter((each) => each.what.startsWith(begin) && each.clients === clients);
    if (counted.length === 0) throw new Error(`nothing was counted for ${begin}`);
    return counted;
  };
  const commandsOf = ({ models }: RoundTrips, kind: RegExp) =>
    Object.entries(models).reduce((sum, [name, each]) => sum + (kind.test(name) ? each : 0), 0);

  test.each(['an order registered', 'a sale of three', 'a receipt', 'a category'])(
    '%s: one append and at most one question to the log',
    (begin) => {
      for (const { log } of of(begin, 1)) {
        expect(log).toMatchObject({ appends: 1, streamReads: 0 });
        expect(log.questions).toBeLessThanOrEqual(1);
      }
      for (const { log } of of(begin, MANY)) {
        expect(log.streamReads).toBe(0);
        expect(log.appends).toBeLessThan(1);
        expect(log.questions).toBeLessThanOrEqual(1);
      }
    },
  );

  test('an order that lives on: nothing is read that the process has just heard', () => {
    const lives = [...of('an order planned', 1), ...of('an order planned', MANY)];
    expect(lives.map(({ clients, log }) => [clients, log.streamReads])).toEqual([
      [1, 0],
      [MANY, 0],
    ]);
    for (const { log } of lives) {
      expect(log.appends).toBeLessThanOrEqual(3);
      expect(log.questions).toBeLessThanOrEqual(3);
    }
  });

  test('a refusal asks the log once more, and writes nothing', () => {
    for (const { log } of of('a sale refused', 1)) {
      expect(log).toMatchObject({ appends: 0, streamReads: 0 });
      expect(log.questions).toBeLessThanOrEqual(2);
    }
  });

  test('a query asks the log nothing', () => {
    const queries = all.filter(({ what }) => /^(?:a page|a product|an order$|a sale$|the )/u.test(what));
    expect(queries).toHaveLength(14);
    for (const { what, clients, log } of queries) {
      expect([what, clients, log.appends, log.streamReads]).toEqual([what, clients, 0, 0]);
      expect(log.questions).toBeLessThan(OWN);
    }
  });

  test('a key costs one claim and one keep beside', () => {
    for (const begin of ['an order registered', 'a sale of three lines']) {
      const [plain, keyed] = of(begin, 1).map((each) => commandsOf(each, / vault$/u));
      expect([plain, keyed]).toEqual([0, 2]);
    }
  });

  test.each([
    ['a product', 4],
    ['an order', 4],
    ['a sale', 4],
    ['a page of products', 5],
    ['a page of orders', 5],
    ['the recall of a code in five products', 23],
    ['the trace of a code in five products', 8],
  ])('%s reads MongoDB at most %d times', (what, most) => {
    const [alone] = all.filter((each) => each.what === what && each.clients === 1);
    if (!alone) throw new Error(`nothing was counted for ${what}`);
    // How often a process looks at the builds goes by the clock, not by what it is asked.
    const reads = commandsOf(alone, /^(?:find|aggregate) (?!read_model_builds)/u);
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThanOrEqual(most);
  });
});
