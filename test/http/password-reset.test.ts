import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { StoreUnavailable } from '../../src/ports/event-store.js';
import { Browser } from '../support/browser.js';
import { mailsTo, nextMailedToken } from '../support/outbox.js';
import type { Person } from '../support/people.js';
import {
  SetClock,
  codeAt,
  enroll,
  expectOk,
  historyOf,
  login,
  newPerson,
  refusal,
  signedIn,
} from '../support/people.js';
import { sendAndLeave } from '../support/raw-http.js';
import { until } from '../support/until.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

const MINUTE = 60_000;
const clock = new SetClock();
const PASSWORD = 'uma senha nova 1';

const world = await openWorld({ clock });
afterAll(() => world.close());
const store = await world.newStore();

const browse = () => new Browser(world.url);
const forgot = (email: string) => browse().post('/auth/forgot-password', { email });
const reset = (token: string, password = PASSWORD) => browse().post('/auth/reset-password', { token, password });

const nextToken = ({ email }: Person) => nextMailedToken(world, clock, email, () => expectOk(forgot(email)));

describe('a forgotten password', () => {
  test('is replaced with the token of a mail, which ends every session', async () => {
    const ana = await newPerson(world, store);
    const [one, two] = [await signedIn(world, ana), await signedIn(world, ana)];
    const token = await nextToken(ana);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((await one.get('/auth/me')).status).toBe(200);
    const { status, body, headers } = await reset(token);
    expect([status, body, headers.getSetCookie()]).toEqual([200, { status: 'ok' }, []]);
    for (const browser of [one, two]) {
      expect((await browser.get('/auth/me')).status).toBe(401);
      expect((await browser.post('/auth/refresh')).status).toBe(401);
    }
    expect(refusal(await login(browse(), ana))).toEqual([401, 'SIGN_IN_REFUSED']);
    await signedIn(world, { ...ana, password: PASSWORD });
    const history = await historyOf(world, ana);
    expect(history).toEqual(expect.arrayContaining(['PasswordChanged', 'SessionsRevoked']));
  });

  test('is asked for alike whether the account exists or not', async () => {
    const ana = await newPerson(world, store);
    const known = await forgot(ana.email.toUpperCase());
    const [mail] = await untilMails(ana, 1);
    for (const email of ['nobody@casa.example', ana.username, 'no address']) {
      const unknown = await forgot(email);
      expect([unknown.status, unknown.body]).toEqual([200, { status: 'ok' }]);
      expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()]);
    }
    expect(mail?.headers.get('subject')).toBe('Redefinição de senha');
    expect(mail?.text).toContain(`${world.url}/console/reset-password#token=`);
    expect(await mailsTo(world.dataDir, ana.email)).toHaveLength(1);
    expect(refusal(await browse().post('/auth/forgot-password', {}))).toEqual([400, 'INVALID_INPUT']);
  });

  test('is asked for without a trace in the log: its size would tell that the account exists', async () => {
    const ana = await newPerson(world, store);
    const size = async () => ((await store.call('GET', '/audit/checkpoint')).body as { readonly size: number }).size;
    const before = await size();
    await nextToken(ana);
    expect(await size()).toBe(before);
  });

  test('is mailed with the right address to who does not wait for the answer', async () => {
    const ana = await newPerson(world, store);
    const body = JSON.stringify({ email: ana.email });
    const head = `POST /auth/forgot-password HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
    await sendAndLeave(Number(new URL(world.url).port), `${head}Content-Length: ${String(body.length)}\r\n\r\n${body}`);
    const [mail] = await untilMails(ana, 1);
    expect(mail?.text).toContain(`${world.url}/console/reset-password#token=`);
  });

  test('is mailed about five times in a quarter of an hour, no more', async () => {
    const ana = await newPerson(world, store);
    for (let sent = 0; sent < 5; sent++) await nextToken(ana);
    await expectOk(forgot(ana.email));
    const bia = await newPerson(world, store);
    await nextToken(bia);
    expect(await mailsTo(world.dataDir, ana.email)).toHaveLength(5);
    clock.wait(15 * MINUTE);
    await nextToken(ana);
  });
});

const untilMails = async ({ email }: Person, count: number) => {
  await until('the mail is there', async () => (await mailsTo(world.dataDir, email)).length >= count);
  return mailsTo(world.dataDir, email);
};

describe('the token of a mail', () => {
  test('works once, however often it is used at once', async () => {
    const ana = await newPerson(world, store);
    const token = await nextToken(ana);
    const uses = Array.from({ length: 100 }, (_, at) => reset(token, `uma senha nova ${String(at)}`));
    const answers = await Promise.all(uses);
    const won = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []));
    expect(won).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(refusal(answer)).toEqual([400, 'TOKEN_INVALID']);
    }
    await signedIn(world, { ...ana, password: `uma senha nova ${String(won[0])}` });
  });

  test('still works where the log was away when it was shown', async () => {
    const ana = await newPerson(world, store);
    const token = await nextToken(ana);
    const away = jest
      .spyOn(world.service.core.engines.eventStore, 'append')
      .mockRejectedValueOnce(new StoreUnavailable('away', false));
    const first = await reset(token);
    expect([first.status, away.mock.calls.length]).toEqual([503, 1]);
    away.mockRestore();
    expect((await reset(token)).status).toBe(200);
    expect(refusal(await reset(token))).toEqual([400, 'TOKEN_INVALID']);
    await signedIn(world, { ...ana, password: PASSWORD });
  });

  test('dies with a newer one', async () => {
    const ana = await newPerson(world, store);
    const older = await nextToken(ana);
    const newer = await nextToken(ana);
    expect(refusal(await reset(older))).toEqual([400, 'TOKEN_INVALID']);
    expect((await reset(newer)).status).toBe(200);
  });

  test('lives an hour', async () => {
    const ana = await newPerson(world, store);
    const late = await nextToken(ana);
    clock.wait(60 * MINUTE);
    expect(refusal(await reset(late))).toEqual([400, 'TOKEN_INVALID']);
    const early = await nextToken(ana);
    clock.wait(60 * MINUTE - 1_000);
    expect((await reset(early)).status).toBe(200);
  });

  test('dies with the password and the address for which it was sent', async () => {
    for (const change of [{ password: 'outra senha boa' }, { email: `outra-${String(clock.now())}@casa.example` }]) {
      const ana = await newPerson(world, store);
      const browser = await signedIn(world, ana);
      const token = await nextToken(ana);
      await expectOk(browser.call('PATCH', '/auth/me', { ...change, currentPassword: ana.password }));
      expect(refusal(await reset(token))).toEqual([400, 'TOKEN_INVALID']);
    }
  });

  test.each(['x', 'A'.repeat(43), 'é'.repeat(10)])('is not %j', async (token) => {
    expect(refusal(await reset(token))).toEqual([400, 'TOKEN_INVALID']);
  });

  test.each([
    ['too short', '123456789'],
    ['too long', 'x'.repeat(73)],
    ['too long in bytes', 'é'.repeat(37)],
    ['too common', 'Password123'],
    ['unfit to be typed', 'uma senha\0nova'],
  ])('is not used up by a password that is %s', async (_, password) => {
    const ana = await newPerson(world, store);
    const token = await nextToken(ana);
    for (let tried = 0; tried < 6; tried++) {
      const answer = await reset(token, password);
      expect(refusal(answer)).toEqual([400, 'PASSWORD_UNFIT']);
      expect((answer.body as { errors: { path: string }[] }).errors[0]?.path).toBe('password');
    }
    expect((await reset(token)).status).toBe(200);
  });

  test.each(['x'.repeat(10 - 4) + 'áé', 'é'.repeat(36)])('takes the password %j', async (password) => {
    const ana = await newPerson(world, store);
    expect((await reset(await nextToken(ana), password)).status).toBe(200);
    await signedIn(world, { ...ana, password });
  });

  test('leaves the second factor on, and ends half a sign-in', async () => {
    const ana = await newPerson(world, store);
    const { secret } = await enroll(await signedIn(world, ana), clock);
    const complete = async ({ body }: Answer) => {
      const { pendingToken } = body as { pendingToken: string };
      return browse().post('/auth/2fa/verify', { pendingToken, code: codeAt(secret, clock.now()) });
    };
    const half = await login(browse(), ana);
    expect((await reset(await nextToken(ana))).status).toBe(200);
    expect(refusal(await complete(half))).toEqual([401, 'TOKEN_INVALID']);
    const again = await login(browse(), { ...ana, password: PASSWORD });
    expect(again.body).toEqual({ requiresTwoFactor: true, pendingToken: expect.any(String) });
    expect((await complete(again)).status).toBe(200);
  });
});
