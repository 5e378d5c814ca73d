import { expect, test } from '@jest/globals';
import { IssuerRests } from '../../src/adapters/fiscal-services/rests.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { AuthorityAway } from '../../src/ports/fiscal-authority.js';
import { MemoryVault } from '../support/memory-vault.js';

const HOUR = 3_600_000;
const ISSUER = '11222333000181';

test('who asked too often rests for an hour, also after a restart, and no longer where the clock was ahead', async () => {
  let time = Date.UTC(2026, 0, 2);
  const vault = new MemoryVault(() => time);
  const start = () =>
    new IssuerRests(
      vault,
      systemClock(() => time),
    );
  await start().begin(ISSUER, '656');
  await expect(start().expectNone(ISSUER)).rejects.toThrow(AuthorityAway);
  time -= 24 * HOUR;
  await start().expectNone(ISSUER);
  time += 24 * HOUR + HOUR / 2;
  await expect(start().expectNone(ISSUER)).rejects.toThrow(AuthorityAway);
  time += HOUR;
  await start().expectNone(ISSUER);
});

test('a process that rested before hears of a rest that another process was told to take since', async () => {
  let time = Date.UTC(2026, 0, 2);
  const clock = systemClock(() => time);
  const vault = new MemoryVault(() => time);
  const [one, other] = [new IssuerRests(vault, clock), new IssuerRests(vault, clock)];
  await one.begin(ISSUER, '656');
  time += 2 * HOUR;
  await other.begin(ISSUER, '656');
  await expect(one.expectNone(ISSUER)).rejects.toThrow(AuthorityAway);
});
