import { expect, test } from '@jest/globals';
import { RateLimit } from '../../src/http/exchange/rate-limit.js';
import { startShell } from '../support/shell.js';

const takes = (limit: RateLimit, credential: string, now: number, times: number): number => {
  for (let count = 0; count < times; count++) {
    try {
      limit.take(credential, now);
    } catch {
      return count;
    }
  }
  return times;
};

test('twice the rate at once, then the rate', () => {
  const limit = new RateLimit({ requests: 10, period: 'second', burst: 20 });
  expect(takes(limit, 'a', 0, 100)).toBe(20);
  expect(takes(limit, 'a', 50, 100)).toBe(0);
  expect(takes(limit, 'a', 100, 100)).toBe(1);
  expect(takes(limit, 'a', 1_100, 100)).toBe(10);
  expect(takes(limit, 'a', 60_000, 100)).toBe(20);
});

test('each credential has a bucket of its own, and 0 switches it off', () => {
  const limit = new RateLimit({ requests: 1, period: 'second', burst: 2 });
  expect(takes(limit, 'a', 0, 10)).toBe(2);
  expect(takes(limit, 'b', 0, 10)).toBe(2);
  expect(takes(new RateLimit({ requests: 0, period: 'second', burst: 0 }), 'a', 0, 1_000)).toBe(1_000);
});

test('who asks too early hears how long it takes from now on until there is room', () => {
  const limit = new RateLimit({ requests: 1, period: 'minute', burst: 1 });
  limit.take('a', 0);
  const early = () => {
    limit.take('a', 45_000);
  };
  expect(early).toThrow(expect.objectContaining({ extra: { retryAfter: 15 } }));
  expect(takes(limit, 'a', 60_000, 10)).toBe(1);
});

test('over the limit it is 429 with Retry-After, whatever address is claimed', async () => {
  const shell = await startShell({ limits: { requestsPerSecond: 1 }, clock: { now: () => 1_000 } });
  try {
    const statuses = [];
    for (const address of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) {
      const answer = await shell.call('/things', { headers: { 'x-forwarded-for': address } });
      statuses.push([answer.status, answer.headers.get('retry-after')]);
    }
    expect(statuses).toEqual([
      [200, null],
      [200, null],
      [429, '1'],
    ]);
  } finally {
    await shell.stop();
  }
});
