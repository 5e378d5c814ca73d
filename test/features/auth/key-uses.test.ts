import { describe, expect, test } from '@jest/globals';
import { KeyUses } from '../../../src/features/auth/access/key-uses.js';
import { systemClock } from '../../../src/kernel/values/clock.js';
import type { Vault } from '../../../src/ports/vault.js';
import { MemoryVault } from '../../support/memory-vault.js';

function openUses() {
  const state = { now: Date.parse('2026-11-21T12:00:30Z'), writes: 0, away: false };
  const memory = new MemoryVault(() => state.now);
  const vault = Object.assign(Object.create(memory) as Vault, {
    write(...call: Parameters<Vault['write']>) {
      state.writes += 1;
      return state.away ? Promise.reject(new Error('away')) : memory.write(...call);
    },
  });
  const clock = systemClock(() => state.now);
  return { state, uses: new KeyUses(vault, clock), elsewhere: new KeyUses(vault, clock) };
}

describe('the last use of a key', () => {
  test('is kept to the minute, with one write a minute', async () => {
    const { state, uses, elsewhere } = openUses();
    for (let request = 0; request < 1_000; request++) uses.note('aurora', 'k');
    expect(state.writes).toBe(1);
    expect((await elsewhere.inStore('aurora'))('k')).toBe('2026-11-21T12:00:00.000Z');
    state.now += 60_000;
    uses.note('aurora', 'k');
    uses.note('aurora', 'k');
    expect(state.writes).toBe(2);
    expect((await elsewhere.inStore('aurora'))('k')).toBe('2026-11-21T12:01:00.000Z');
  });

  test('is none before the first, and in another store', async () => {
    const { uses } = openUses();
    uses.note('aurora', 'k');
    expect((await uses.inStore('aurora'))('other')).toBe(null);
    expect((await uses.inStore('leste'))('other')).toBe(null);
  });

  test('is written with the next request when the vault was away', async () => {
    const { state, uses, elsewhere } = openUses();
    state.away = true;
    uses.note('aurora', 'k');
    await new Promise(setImmediate);
    state.away = false;
    uses.note('aurora', 'k');
    expect((await elsewhere.inStore('aurora'))('k')).toBe('2026-11-21T12:00:00.000Z');
  });

  test('is forgotten with the key', async () => {
    const { uses } = openUses();
    uses.note('aurora', 'k');
    await uses.forget('aurora', 'k');
    expect((await uses.inStore('aurora'))('k')).toBe(null);
  });
});
