import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Refreshed, RefreshState } from '../../../../src/features/auth/sign-in/refresh-tokens.js';
import { firstRefreshToken, readRefreshToken, refresh } from '../../../../src/features/auth/sign-in/refresh-tokens.js';
import { newId } from '../../../../src/kernel/values/ids.js';

const key = createSecretKey(Buffer.alloc(32, 1));
const otherKey = createSecretKey(Buffer.alloc(32, 2));
const START = Date.UTC(2026, 0, 1);
const SECOND = 1000;

/** A session on a virtual clock: stores what a rotation gives, as the service does. */
class Session {
  readonly userId = newId(START);
  readonly sessionId = newId(START);
  readonly first: string;
  state: RefreshState;
  now = START;

  constructor() {
    const { token, state } = firstRefreshToken(key, { userId: this.userId, sessionId: this.sessionId, now: this.now });
    this.first = token;
    this.state = state;
  }

  present(text: string): Refreshed | undefined {
    const token = readRefreshToken(key, text);
    if (!token) return undefined;
    const refreshed = refresh(key, token, this.state, this.now);
    if (refreshed?.outcome === 'rotated') this.state = refreshed.state;
    return refreshed;
  }

  rotate(text: string): string {
    const refreshed = this.present(text);
    if (refreshed?.outcome !== 'rotated') throw new Error(`was ${refreshed?.outcome ?? 'forged'}, not rotated`);
    return refreshed.token;
  }
}

describe('a refresh token', () => {
  test('says whose it is, and that it is ours', () => {
    const session = new Session();
    const { userId, sessionId } = session;
    expect(readRefreshToken(key, session.first)).toMatchObject({ userId, sessionId, generation: 1 });
    expect(readRefreshToken(otherKey, session.first)).toBeUndefined();
  });

  test('rotates', () => {
    const session = new Session();
    const second = session.rotate(session.first);
    expect(readRefreshToken(key, second)?.generation).toBe(2);
    const third = session.rotate(second);
    expect(new Set([session.first, second, third]).size).toBe(3);
  });

  test('shown again within ten seconds gives the same successor', () => {
    const session = new Session();
    session.now += 15 * 60 * SECOND;
    const second = session.rotate(session.first);
    for (const later of [0, 5 * SECOND, 5 * SECOND]) {
      session.now += later;
      expect(session.present(session.first)).toEqual({ outcome: 'repeated', token: second });
    }
    session.now += 1;
    expect(session.present(session.first)).toEqual({ outcome: 'reused' });
  });

  test('shown again after its successor was used counts as stolen, also within the grace', () => {
    const session = new Session();
    const second = session.rotate(session.first);
    session.rotate(second);
    expect(session.present(session.first)).toEqual({ outcome: 'reused' });
    expect(session.present(second)?.outcome).toBe('repeated');
  });

  test('of another session with our seal is unknown here', () => {
    const session = new Session();
    const other = new Session();
    expect(session.present(other.first)).toBeUndefined();
    expect(session.present(other.rotate(other.first))).toBeUndefined();
  });

  test('leaves hashes alone behind', () => {
    const session = new Session();
    const second = session.rotate(session.first);
    const stored = JSON.stringify(session.state);
    for (const text of [session.first, second]) {
      const secret = readRefreshToken(key, text)?.secret ?? Buffer.alloc(0);
      expect(stored).not.toContain(secret.toString('hex'));
      expect(stored).not.toContain(secret.toString('base64url'));
    }
  });

  test('is told from every text that differs', () => {
    const session = new Session();
    const { first } = session;
    for (const text of ['', first.slice(1), `${first}A`, `${first}=`, `${first} `, first.toLowerCase(), `\0${first}`]) {
      expect(readRefreshToken(key, text)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.nat(first.length - 1), fc.base64String({ minLength: 4 }), (at, noise) => {
        const changed = first.slice(0, at) + noise.slice(0, 1) + first.slice(at + 1);
        expect(readRefreshToken(key, changed) === undefined).toBe(changed !== first);
      }),
      { numRuns: 500 },
    );
  });
});

/** What the rules say, written as a list of all tokens and the time of the last rotation. */
test('any history of showing any token at any time goes by the rules', () => {
  const step = fc.record({ back: fc.nat(4), pause: fc.constantFrom(0, 1, 5_000, 9_999, 10_000, 10_001, 60_000) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const session = new Session();
      const made = [session.first];
      let rotatedAt = START;
      for (const { back, pause } of steps) {
        session.now += pause;
        const at = Math.max(0, made.length - 1 - back);
        const shown = session.present(made[at] ?? '');
        const age = made.length - 1 - at;
        if (age === 0) {
          expect(shown?.outcome).toBe('rotated');
          if (shown?.outcome === 'rotated') made.push(shown.token);
          rotatedAt = session.now;
        } else if (age === 1 && session.now - rotatedAt <= 10_000) {
          expect(shown).toEqual({ outcome: 'repeated', token: made.at(-1) });
        } else {
          expect(shown).toEqual({ outcome: 'reused' });
        }
      }
      expect(new Set(made).size).toBe(made.length);
    }),
    { numRuns: 300 },
  );
});
