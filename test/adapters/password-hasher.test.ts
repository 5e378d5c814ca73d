import { afterAll, describe, expect, test } from '@jest/globals';
import { BcryptPasswordHasher } from '../../src/adapters/bcrypt/password-hasher.js';
import { UNAVAILABLE } from '../../src/kernel/events/rejection.js';

const hasher = new BcryptPasswordHasher({ cost: 4, codeCost: 4, workers: 2 });
afterAll(() => hasher.close());

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

describe('bcrypt as a password hasher', () => {
  test('tells the right password from a wrong one', async () => {
    const hash = await hasher.hash('pão de queijo');
    expect(hash).toMatch(/^\$2b\$04\$/);
    expect(await hasher.verify('pão de queijo', hash)).toBe(true);
    expect(await hasher.verify('pão de queijO', hash)).toBe(false);
    expect(await hasher.hash('pão de queijo')).not.toBe(hash);
  });

  test('takes one letter typed in two ways as the same', async () => {
    const hash = await hasher.hash('coração de mãe'.normalize('NFD'));
    expect(await hasher.verify('coração de mãe'.normalize('NFC'), hash)).toBe(true);
  });

  test('reads all of a password', async () => {
    const longest = `${'x'.repeat(71)}1`;
    const hash = await hasher.hash(longest);
    expect(await hasher.verify(`${'x'.repeat(71)}2`, hash)).toBe(false);
    expect(await hasher.verify(`${longest}y`, hash)).toBe(false);
    expect(await hasher.verify(longest, hash)).toBe(true);
    await expect(hasher.hash(`${longest}y`)).rejects.toThrow('longer');
    expect(await hasher.verify('before\0after', await hasher.hash('before\0other'))).toBe(false);
  });

  test('answers false for an unknown user and for a hash that is none', async () => {
    expect(await hasher.verify('anything at all', undefined)).toBe(false);
    expect(await hasher.verify('anything at all', 'nonsense')).toBe(false);
  });

  test('works as hard for an unknown user as for a known one', async () => {
    const slow = new BcryptPasswordHasher({ cost: 9, workers: 1 });
    const hash = await slow.hash('the right one');
    const taken = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < 15; round++) {
      for (const who of ['known', 'unknown'] as const) {
        const startedAt = performance.now();
        await slow.verify('a wrong one', who === 'known' ? hash : undefined);
        taken[who].push(performance.now() - startedAt);
      }
    }
    await slow.close();
    const ratio = median(taken.unknown) / median(taken.known);
    expect(ratio).toBeGreaterThan(1 / 3);
    expect(ratio).toBeLessThan(3);
  });

  test('hashes the codes of one user with one salt', async () => {
    const salt = hasher.newCodeSalt();
    const [one, again, other] = await Promise.all(['A', 'A', 'B'].map((code) => hasher.hashCode(code, salt)));
    expect(one).toBe(again);
    expect(one).not.toBe(other);
    expect(hasher.newCodeSalt()).not.toBe(salt);
  });

  test('leaves the event loop free', async () => {
    const slow = new BcryptPasswordHasher({ cost: 12, workers: 1 });
    const hashing = slow.hash('ten letters').then(() => true);
    let turns = 0;
    while (!(await Promise.race([hashing, new Promise((resolve) => setImmediate(resolve, false))]))) turns++;
    await slow.close();
    expect(turns).toBeGreaterThan(50);
  });

  test('refuses more than may wait and goes on with the rest', async () => {
    const small = new BcryptPasswordHasher({ cost: 4, workers: 1, mostWaiting: 3 });
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => small.verify('x', undefined)));
    const refused = tries.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(6);
    expect(refused[0]?.reason).toMatchObject({ kind: UNAVAILABLE });
    expect(await small.verify('x', undefined)).toBe(false);
    await small.close();
  });

  test('lets nobody wait for all the passwords that a store gives', async () => {
    const small = new BcryptPasswordHasher({ cost: 4, workers: 1 });
    let given = 0;
    const flood = Array.from({ length: 20 }, () => small.hash('ten letters', 'a store').then(() => given++));
    await small.verify('x', undefined);
    const before = given;
    await small.hash('ten letters', 'another store');
    expect([before, given]).toEqual([2, 4]);
    await Promise.all(flood);
    await small.close();
  });

  test('refuses whoever waits for most where too many wait', async () => {
    const small = new BcryptPasswordHasher({ cost: 4, workers: 1, mostWaiting: 3 });
    const flood = Array.from({ length: 10 }, () => small.hash('ten letters', 'a store'));
    const settled = Promise.allSettled(flood);
    const others = ['another store', 'a third'].map((store) => small.hash('ten letters', store));
    const last = small.hash('ten letters', 'a fourth');
    await expect(last).rejects.toMatchObject({ kind: UNAVAILABLE });
    expect(await Promise.all(others)).toHaveLength(2);
    expect((await settled).filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await small.close();
  });

  test('goes on after a thread died', async () => {
    const fragile = new BcryptPasswordHasher({ cost: 4, workers: 1 });
    const broken = fragile.hashCode('code', 'no salt');
    const next = fragile.hash('ten letters');
    await expect(broken).rejects.toThrow();
    expect(await next).toMatch(/^\$2b/);
    await fragile.close();
  });

  test('answers everybody when it closes', async () => {
    const closing = new BcryptPasswordHasher({ cost: 12, workers: 1 });
    const tries = Promise.allSettled(Array.from({ length: 3 }, () => closing.hash('ten letters')));
    await closing.close();
    expect((await tries).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(closing.hash('ten letters')).rejects.toMatchObject({ kind: UNAVAILABLE });
  });
});
