import { expect, test } from '@jest/globals';
import { unlessAborted } from '../../../src/kernel/values/pause.js';

const never = new Promise<never>(() => undefined);

test('nobody waits for what was given up, whether before or while they wait', async () => {
  const giving = new AbortController();
  const waiting = unlessAborted(never, giving.signal);
  giving.abort();
  await expect(waiting).rejects.toThrow('given up');
  await expect(unlessAborted(never, giving.signal)).rejects.toThrow('given up');
});

test('what comes in time is had, as it comes', async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve('sent'), signal)).toBe('sent');
  await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
});
