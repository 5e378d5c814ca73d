import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Browser } from '../support/browser.js';
import type { Enrolled, Person } from '../support/people.js';
import {
  SetClock,
  codeAt,
  enroll,
  expectOk,
  finishEnrollment,
  historyOf,
  login,
  newPerson,
  pendingToken,
  refusal,
  signedIn,
  wrongCodeAt,
} from '../support/people.js';
import type { Answer, StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

const MINUTE = 60_000;
const clock = new SetClock();

const world = await openWorld({ clock });
afterAll(() => world.close());
const store = await world.newStore();
beforeEach(() => {
  clock.wait(31 * MINUTE);
});

const browse = () => new Browser(world.url);
const verify = (token: string, code: string, browser = browse()) =>
  browser.post('/auth/2fa/verify', { pendingToken: token, code });
const recover = (token: string, backupCode: string, browser = browse()) =>
  browser.post('/auth/2fa/recover', { pendingToken: token, backupCode });
const successes = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;
const atOnce = (times: number, ask: () => Promise<Answer>) => Promise.all(Array.from({ length: times }, ask));

/** A hundred tries: twenty tokens, five of each. */
async function manyTokens(person: Person): Promise<readonly string[]> {
  const tokens: string[] = [];
  while (tokens.length < 20) tokens.push(await pendingToken(browse(), person));
  return tokens.flatMap((token) => Array.from({ length: 5 }, () => token));
}

/** Somebody who has a second factor. */
async function enrolled(): Promise<Person & Enrolled> {
  const ana = await newPerson(world, store);
  return { ...ana, ...(await enroll(await signedIn(world, ana), clock)) };
}

describe('a voluntary second factor', () => {
  test('needs the password once the sign-in was a while ago', async () => {
    const ana = await newPerson(world, store);
    const browser = await signedIn(world, ana);
    clock.wait(16 * MINUTE);
    await expectOk(browser.post('/auth/refresh'));
    expect(refusal(await browser.post('/auth/2fa/enrollment'))).toEqual([403, 'PASSWORD_NEEDED']);
    const guess = await browser.post('/auth/2fa/enrollment', { password: 'nenhuma destas' });
    expect(refusal(guess)).toEqual([401, 'PASSWORD_WRONG']);
    expect((await browser.post('/auth/2fa/enrollment', { password: ana.password })).status).toBe(201);
  });

  test('is set up by who is signed in, and gives ten backup codes', async () => {
    const ana = await newPerson(world, store);
    const browser = await signedIn(world, ana);
    const begun = await browser.post('/auth/2fa/enrollment');
    expect([begun.status, begun.body]).toEqual([201, { enrollmentToken: expect.any(String) }]);
    const { enrollmentToken } = begun.body as { enrollmentToken: string };
    const setup = (await expectOk(browser.post('/auth/2fa/enroll/setup', { enrollmentToken }))) as {
      secret: string;
      otpauthUrl: string;
      qrCode: string;
    };
    expect(setup).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauthUrl: expect.stringMatching(/^otpauth:\/\/totp\/Store%20Management:pessoa-\d+\?/),
      qrCode: expect.stringMatching(/^data:image\/png;base64,/),
    });
    expect(setup.otpauthUrl).toContain(setup.secret);
    const code = codeAt(setup.secret, clock.now());
    const { status, body, headers } = await browser.post('/auth/2fa/enroll/confirm', { enrollmentToken, code });
    expect([status, body]).toEqual([
      200,
      {
        user: expect.objectContaining({ id: ana.userId, twoFactorEnabled: true }),
        storeSlug: store.slug,
        backupCodes: Array.from({ length: 10 }, () => expect.stringMatching(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/)),
      },
    ]);
    expect(headers.getSetCookie()).toHaveLength(2);
    expect((await browser.get('/auth/me')).body).toMatchObject({ twoFactorEnabled: true });
    expect(await historyOf(world, ana)).toContain('TwoFactorEnabled');
    expect(refusal(await browser.post('/auth/2fa/enrollment'))).toEqual([409, 'TWO_FACTOR_ON']);
    // The code that confirmed it is used up.
    const token = await pendingToken(browse(), ana);
    expect(refusal(await verify(token, code))).toEqual([401, 'CODE_INVALID']);
  });

  test('ends the session in which it began', async () => {
    const ana = await newPerson(world, store);
    const browser = await signedIn(world, ana);
    const before = browser.copy();
    await enroll(browser, clock);
    expect((await before.get('/auth/me')).status).toBe(401);
    expect((await before.post('/auth/refresh')).status).toBe(401);
    expect((await browser.get('/auth/me')).status).toBe(200);
    expect(await historyOf(world, ana)).toContain('SignedOut');
  });

  test('cannot be set up once the session has ended', async () => {
    const browser = await signedIn(world, await newPerson(world, store));
    const { enrollmentToken } = (await expectOk(browser.post('/auth/2fa/enrollment'))) as { enrollmentToken: string };
    await expectOk(browser.post('/auth/logout'));
    const answer = await browser.post('/auth/2fa/enroll/setup', { enrollmentToken });
    expect(refusal(answer)).toEqual([401, 'TOKEN_INVALID']);
  });

  test('has one secret, however often it is asked for before it is confirmed', async () => {
    const browser = await signedIn(world, await newPerson(world, store));
    const { enrollmentToken } = (await expectOk(browser.post('/auth/2fa/enrollment'))) as { enrollmentToken: string };
    const ask = () => expectOk(browse().post('/auth/2fa/enroll/setup', { enrollmentToken })) as Promise<Enrolled>;
    const [first, ...others] = [await ask(), await ask(), ...(await Promise.all([ask(), ask()]))];
    expect(others).toEqual([first, first, first]);
    const code = codeAt(first.secret, clock.now());
    expect((await browse().post('/auth/2fa/enroll/confirm', { enrollmentToken, code })).status).toBe(200);
  });

  test('is set up once, however many try at once', async () => {
    const ana = await newPerson(world, store);
    const browser = await signedIn(world, ana);
    const secrets = new Map<string, string>();
    for (let begun = 0; begun < 4; begun++) {
      const { enrollmentToken } = (await expectOk(browser.post('/auth/2fa/enrollment'))) as { enrollmentToken: string };
      const { secret } = (await expectOk(browse().post('/auth/2fa/enroll/setup', { enrollmentToken }))) as Enrolled;
      secrets.set(enrollmentToken, secret);
    }
    const confirmed = await Promise.all(
      [...secrets].map(async ([enrollmentToken, secret]) => {
        const confirmation = { enrollmentToken, code: codeAt(secret, clock.now()) };
        return { secret, answer: await browse().post('/auth/2fa/enroll/confirm', confirmation) };
      }),
    );
    const [won, ...more] = confirmed.filter(({ answer }) => answer.status === 200);
    expect(more).toEqual([]);
    clock.wait(30_000);
    const token = await pendingToken(browse(), ana);
    expect((await verify(token, codeAt(won?.secret ?? '', clock.now()))).status).toBe(200);
  });

  test('that the command line removes leaves no secrets behind', async () => {
    const ana = await enrolled();
    const { administration, engines } = world.service.core;
    const rows = async () => (await engines.vault.list('totp', { limit: 10_000 })).length;
    const before = await rows();
    const { username, password } = ana;
    await administration.users.reset({ store: store.slug, username, password, removeSecondFactor: true });
    expect(await rows()).toBe(before - 1);
    expect((await login(browse(), ana)).status).toBe(200);
  });

  test('leaves no secrets behind when its account ends, nor does the password', async () => {
    await newPerson(world, store);
    const ana = await enrolled();
    const { vault } = world.service.core.engines;
    const rowsOf = async (kind: string) => (await vault.list(kind, { limit: 10_000 })).length;
    const rows = () => Promise.all(['password', 'totp', 'backup-codes'].map(rowsOf));
    const before = await rows();
    expect((await store.call('DELETE', `/users/${ana.userId}`)).status).toBe(204);
    expect(await rows()).toEqual(before.map((count) => count - 1));
  });

  test('goes with its account and the password, in one write with the fact', async () => {
    const ana = await enrolled();
    const { vault } = world.service.core.engines;
    const secrets = ['password', 'totp', 'backup-codes'];
    const rows = async () =>
      (await Promise.all(secrets.map((kind) => vault.list(kind, { limit: 10_000 })))).flat().length;
    const before = await rows();
    const write = vault.write.bind(vault);
    const crashing = jest
      .spyOn(vault, 'write')
      .mockImplementation((some) =>
        some.some(({ kind }) => secrets.includes(kind)) ? Promise.reject(new Error('crashed')) : write(some),
      );
    const removed = await store.call('DELETE', `/users/${ana.userId}`);
    crashing.mockRestore();
    expect([removed.status, await rows()]).toEqual([204, before - 3]);
  });

  test('is given up with password and code', async () => {
    const ana = await enrolled();
    const browser = browse();
    await expectOk(verify(await pendingToken(browser, ana), codeAt(ana.secret, clock.now()), browser));
    clock.wait(30_000);
    const off = (password: string, code: string) => browser.call('DELETE', '/auth/2fa', { password, code });
    const code = codeAt(ana.secret, clock.now());
    expect(refusal(await off('senha errada 1', code))).toEqual([401, 'PASSWORD_WRONG']);
    expect(refusal(await off(ana.password, wrongCodeAt(ana.secret, clock.now())))).toEqual([401, 'CODE_INVALID']);
    expect((await off(ana.password, code)).status).toBe(204);
    expect(refusal(await off(ana.password, code))).toEqual([409, 'TWO_FACTOR_OFF']);
    expect((await login(browse(), ana)).body).toMatchObject({ user: { twoFactorEnabled: false } });
  });

  test('is given up with a backup code by who has lost the app, and set up anew', async () => {
    const ana = await enrolled();
    const browser = browse();
    const [first = '', second = ''] = ana.backupCodes;
    await expectOk(recover(await pendingToken(browser, ana), first, browser));
    expect((await browser.call('DELETE', '/auth/2fa', { password: ana.password, code: second })).status).toBe(204);
    const again = await enroll(browser, clock);
    expect(again.secret).not.toBe(ana.secret);
    const token = await pendingToken(browse(), ana);
    expect((await recover(token, ana.backupCodes[2] ?? '')).status).toBe(401);
    expect((await recover(token, again.backupCodes[2] ?? '')).status).toBe(200);
  });
});

describe('a mandatory second factor', () => {
  let strict: StoreClient;
  beforeAll(async () => {
    strict = await world.newStore();
    await expectOk(strict.call('PATCH', '/store', { requireTwoFactor: true }));
  });

  test('is set up before the first session', async () => {
    const ana = await newPerson(world, strict);
    const browser = browse();
    const first = await login(browser, ana);
    expect([first.status, first.body]).toEqual([
      200,
      { requiresEnrollment: true, enrollmentToken: expect.any(String) },
    ]);
    expect(first.headers.getSetCookie()).toEqual([]);
    const { enrollmentToken } = first.body as { enrollmentToken: string };
    const setup = await browser.post('/auth/2fa/enroll/setup', { enrollmentToken });
    expect(setup.headers.getSetCookie()).toEqual([]);
    expect((await browser.get('/auth/me')).status).toBe(401);
    const { secret } = await finishEnrollment(browser, clock, enrollmentToken);
    expect((await browser.get('/auth/me')).body).toMatchObject({ twoFactorEnabled: true, storeSlug: strict.slug });
    const used = await browser.post('/auth/2fa/enroll/confirm', { enrollmentToken, code: codeAt(secret, clock.now()) });
    expect(refusal(used)).toEqual([401, 'TOKEN_INVALID']);
    expect((await login(browse(), ana)).body).toEqual({ requiresTwoFactor: true, pendingToken: expect.any(String) });
  });

  test('is not given up', async () => {
    const ana = await newPerson(world, strict);
    const browser = browse();
    const { enrollmentToken } = (await login(browser, ana)).body as { enrollmentToken: string };
    const { secret } = await finishEnrollment(browser, clock, enrollmentToken);
    const given = { password: ana.password, code: codeAt(secret, clock.now()) };
    expect(refusal(await browser.call('DELETE', '/auth/2fa', given))).toEqual([403, 'ENROLLMENT_REQUIRED']);
  });

  test('ends sessions without one when they are renewed', async () => {
    const late = await world.newStore();
    const browser = await signedIn(world, await newPerson(world, late));
    await expectOk(late.call('PATCH', '/store', { requireTwoFactor: true }));
    expect(refusal(await browser.post('/auth/refresh'))).toEqual([401, 'CREDENTIAL_INVALID']);
  });

  test('bears five wrong codes for one token, which lives five minutes', async () => {
    const ana = await newPerson(world, strict);
    const begin = async () => {
      const { enrollmentToken } = (await login(browse(), ana)).body as { enrollmentToken: string };
      const { secret } = (await expectOk(browse().post('/auth/2fa/enroll/setup', { enrollmentToken }))) as Enrolled;
      const confirm = (code: string) => browse().post('/auth/2fa/enroll/confirm', { enrollmentToken, code });
      return { secret, confirm };
    };
    const tried = await begin();
    for (let failed = 0; failed < 5; failed++) {
      const answer = await tried.confirm(wrongCodeAt(tried.secret, clock.now()));
      expect(refusal(answer)).toEqual([401, 'CODE_INVALID']);
    }
    expect(refusal(await tried.confirm(codeAt(tried.secret, clock.now())))).toEqual([401, 'TOKEN_INVALID']);
    const old = await begin();
    clock.wait(5 * MINUTE);
    expect(refusal(await old.confirm(codeAt(old.secret, clock.now())))).toEqual([401, 'TOKEN_INVALID']);
    const fresh = await begin();
    expect((await fresh.confirm(codeAt(fresh.secret, clock.now()))).status).toBe(200);
  });

  test('needs its secret before a code', async () => {
    const ana = await newPerson(world, strict);
    const { enrollmentToken } = (await login(browse(), ana)).body as { enrollmentToken: string };
    const answer = await browse().post('/auth/2fa/enroll/confirm', { enrollmentToken, code: '123456' });
    expect(refusal(answer)).toEqual([401, 'CODE_INVALID']);
  });
});

describe('the second half of a sign-in', () => {
  test('gives the session that the first half did not', async () => {
    const ana = await enrolled();
    const browser = browse();
    const first = await login(browser, ana);
    expect([first.status, first.body]).toEqual([200, { requiresTwoFactor: true, pendingToken: expect.any(String) }]);
    expect([first.headers.getSetCookie(), browser.cookies]).toEqual([[], []]);
    const { pendingToken: token } = first.body as { pendingToken: string };
    expect((await browser.get('/auth/me', { cookie: `sm_access=${token}` })).status).toBe(401);
    const { status, body } = await verify(token, codeAt(ana.secret, clock.now()), browser);
    expect([status, body]).toEqual([
      200,
      { user: expect.objectContaining({ id: ana.userId, twoFactorEnabled: true }), storeSlug: store.slug },
    ]);
    expect(browser.cookies).toEqual(['sm_access', 'sm_refresh']);
    expect((await browser.get('/auth/me')).status).toBe(200);
  });

  test.each([
    [-90, 401],
    [-60, 401],
    [-30, 200],
    [0, 200],
    [30, 200],
    [60, 401],
  ])('takes the code of %i s beside now: %i', async (distance, status) => {
    const ana = await enrolled();
    clock.wait(5 * MINUTE);
    const token = await pendingToken(browse(), ana);
    expect((await verify(token, codeAt(ana.secret, clock.now() + distance * 1000))).status).toBe(status);
  });

  test('takes each code once, and none older than the last', async () => {
    const ana = await enrolled();
    clock.wait(5 * MINUTE);
    const token = () => pendingToken(browse(), ana);
    const before = codeAt(ana.secret, clock.now() - 30_000);
    const now = codeAt(ana.secret, clock.now());
    expect((await verify(await token(), now)).status).toBe(200);
    for (const used of [now, before]) expect(refusal(await verify(await token(), used))).toEqual([401, 'CODE_INVALID']);
    expect((await verify(await token(), codeAt(ana.secret, clock.now() + 30_000))).status).toBe(200);
  });

  test('takes one code, used a hundred times at once with twenty tokens, once', async () => {
    const ana = await enrolled();
    const tokens = await manyTokens(ana);
    const code = codeAt(ana.secret, clock.now());
    expect(successes(await Promise.all(tokens.map((token) => verify(token, code))))).toBe(1);
  });

  test('takes one backup code, used a hundred times at once with twenty tokens, once', async () => {
    const ana = await enrolled();
    const tokens = await manyTokens(ana);
    const [code = ''] = ana.backupCodes;
    expect(successes(await Promise.all(tokens.map((token) => recover(token, code))))).toBe(1);
  });

  test('takes one token, used a hundred times at once, once', async () => {
    const ana = await enrolled();
    const token = await pendingToken(browse(), ana);
    let at = 0;
    const answers = await atOnce(100, () =>
      ++at % 2 === 0 ? verify(token, codeAt(ana.secret, clock.now())) : recover(token, ana.backupCodes[at % 10] ?? ''),
    );
    expect(successes(answers)).toBe(1);
  });

  test('takes one of several right codes that come at once with one token, and leaves the others', async () => {
    const ana = await enrolled();
    const token = await pendingToken(browse(), ana);
    const codes = ana.backupCodes.slice(0, 5);
    const answers = await Promise.all(codes.map((code) => recover(token, code)));
    expect(successes(answers)).toBe(1);
    const left = codes.filter((_, index) => answers[index]?.status !== 200);
    for (const code of left) expect((await recover(await pendingToken(browse(), ana), code)).status).toBe(200);
  });

  test('takes each backup code once, in whatever case, and tells in the history how many are left', async () => {
    const ana = await enrolled();
    for (const [index, code] of ana.backupCodes.entries()) {
      const typed = index % 2 === 0 ? code.toLowerCase() : code.replace('-', ' ');
      expect((await recover(await pendingToken(browse(), ana), typed)).status).toBe(200);
      const again = await recover(await pendingToken(browse(), ana), code);
      expect(refusal(again)).toEqual([401, 'CODE_INVALID']);
    }
    const used = (await historyOf(world, ana)).filter((type) => type === 'BackupCodeUsed');
    expect(used).toHaveLength(10);
  });

  test('bears five wrong codes for one token, which then is spent, and lets the next sign-in work', async () => {
    const ana = await enrolled();
    for (let round = 0; round < 3; round++) {
      const token = await pendingToken(browse(), ana);
      for (let failed = 0; failed < 5; failed++) {
        const wrong =
          failed % 2 === 0 ? verify(token, wrongCodeAt(ana.secret, clock.now())) : recover(token, '00000-00000');
        expect(refusal(await wrong)).toEqual([401, 'CODE_INVALID']);
      }
      expect(refusal(await verify(token, codeAt(ana.secret, clock.now())))).toEqual([401, 'TOKEN_INVALID']);
    }
    const token = await pendingToken(browse(), ana);
    for (let failed = 0; failed < 4; failed++) {
      expect((await verify(token, wrongCodeAt(ana.secret, clock.now()))).status).toBe(401);
    }
    expect((await verify(token, codeAt(ana.secret, clock.now()))).status).toBe(200);
  });

  test('locks codes after twenty wrong ones, apart from passwords', async () => {
    const ana = await enrolled();
    for (let failed = 0; failed < 20; failed++) {
      const token = await pendingToken(browse(), ana);
      expect((await verify(token, wrongCodeAt(ana.secret, clock.now()))).status).toBe(401);
    }
    const locked = await verify(await pendingToken(browse(), ana), codeAt(ana.secret, clock.now()));
    expect(refusal(locked)).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect(locked.headers.get('retry-after')).toBe('60');
    clock.wait(MINUTE);
    expect((await verify(await pendingToken(browse(), ana), codeAt(ana.secret, clock.now()))).status).toBe(200);
  });

  test('lasts five minutes', async () => {
    const ana = await enrolled();
    const token = await pendingToken(browse(), ana);
    clock.wait(5 * MINUTE - 1);
    expect((await verify(token, wrongCodeAt(ana.secret, clock.now()))).status).toBe(401);
    clock.wait(1);
    expect(refusal(await verify(token, codeAt(ana.secret, clock.now())))).toEqual([401, 'TOKEN_INVALID']);
  });

  test('takes a token for its own purpose alone', async () => {
    const ana = await enrolled();
    const bia = await newPerson(world, store);
    const pending = await pendingToken(browse(), ana);
    const begun = await (await signedIn(world, bia)).post('/auth/2fa/enrollment');
    const { enrollmentToken } = begun.body as { enrollmentToken: string };
    const code = codeAt(ana.secret, clock.now());
    for (const answer of [
      await verify(enrollmentToken, code),
      await recover(enrollmentToken, ana.backupCodes[0] ?? ''),
      await browse().post('/auth/2fa/enroll/setup', { enrollmentToken: pending }),
      await browse().post('/auth/2fa/enroll/confirm', { enrollmentToken: pending, code }),
      await verify('x', code),
      await verify('A'.repeat(43), code),
    ]) {
      expect(refusal(answer)).toEqual([401, 'TOKEN_INVALID']);
    }
    for (const token of [pending, enrollmentToken]) {
      const reset = await browse().post('/auth/reset-password', { token, password: 'uma senha bem boa' });
      expect(refusal(reset)).toEqual([400, 'TOKEN_INVALID']);
    }
    expect((await verify(pending, code)).status).toBe(200);
  });

  test('fails when the membership has ended meanwhile', async () => {
    const ana = await enrolled();
    await newPerson(world, store);
    const token = await pendingToken(browse(), ana);
    await expectOk(store.call('PATCH', `/users/${ana.userId}`, { active: false }));
    expect(refusal(await verify(token, codeAt(ana.secret, clock.now())))).toEqual([401, 'TOKEN_INVALID']);
  });
});
