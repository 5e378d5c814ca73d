import { expect, test } from '@jest/globals';
import { MailLimit } from '../../../../src/features/auth/sign-in/mail-limit.js';
import { systemClock } from '../../../../src/kernel/values/clock.js';
import { MemoryVault } from '../../../support/memory-vault.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const ANA = 'ana@casa.example';

test('five mails in a quarter of an hour go to an address, and after a clock that was ahead is set right five more', async () => {
  let time = Date.UTC(2026, 0, 2);
  const vault = new MemoryVault(() => time);
  const start = () => new MailLimit({ vault, clock: systemClock(() => time) });
  const ahead = start();
  const taken = async (limit: MailLimit) => {
    let count = 0;
    while (await limit.take(ANA)) count++;
    return count;
  };
  expect(await taken(ahead)).toBe(5);
  time += 15 * MINUTE;
  expect(await taken(ahead)).toBe(5);
  time -= DAY;
  expect(await taken(start())).toBe(5);
});
