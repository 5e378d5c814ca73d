import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Browser } from '../support/browser.js';
import { mailedToken } from '../support/outbox.js';
import type { Enrolled } from '../support/people.js';
import { SetClock, codeAt, expectOk, newPerson, signedIn, wholeLog } from '../support/people.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** What follows `smk_` and the id. */
const secretOf = (key: string): string => key.slice(37);

/** All that somebody could use who reads history, log lines or a stolen disk. */
test('secrets stand in no event, log line, refusal or file', async () => {
  const clock = new SetClock();
  const log: string[] = [];
  const world = await openWorld({ clock, log });
  const store = await world.newStore();
  const ana = await newPerson(world, store);
  const secrets = new Map<string, string>([
    ['API key', secretOf(store.key)],
    ['password', ana.password],
  ]);
  const refusals: Answer[] = [];
  const remember = (browser: Browser) => {
    for (const name of ['sm_access', 'sm_refresh']) {
      const value = browser.cookie(name);
      if (value !== undefined) secrets.set(`${name} ${String(secrets.size)}`, value);
    }
  };

  const browser = await signedIn(world, ana);
  remember(browser);
  await expectOk(browser.post('/auth/refresh'));
  remember(browser);
  const begun = (await expectOk(browser.post('/auth/2fa/enrollment'))) as { enrollmentToken: string };
  secrets.set('enrollment token', begun.enrollmentToken);
  const { secret } = (await expectOk(browser.post('/auth/2fa/enroll/setup', begun))) as Enrolled;
  secrets.set('TOTP secret', secret);
  const code = codeAt(secret, clock.now());
  const { backupCodes } = (await expectOk(browser.post('/auth/2fa/enroll/confirm', { ...begun, code }))) as Enrolled;
  for (const [index, one] of backupCodes.entries()) secrets.set(`backup code ${String(index)}`, one);
  remember(browser);
  const half = (await expectOk(
    new Browser(world.url).post('/auth/login', { username: ana.username, password: ana.password }),
  )) as { pendingToken: string };
  secrets.set('pending token', half.pendingToken);
  const paper = { pendingToken: half.pendingToken, backupCode: backupCodes[0] };
  refusals.push(
    await new Browser(world.url).post('/auth/2fa/recover', { ...paper, backupCode: backupCodes[0]?.slice(1) }),
  );
  await expectOk(new Browser(world.url).post('/auth/2fa/recover', paper));
  refusals.push(await new Browser(world.url).post('/auth/2fa/recover', paper));
  await expectOk(new Browser(world.url).post('/auth/forgot-password', { email: ana.email }));
  const token = await mailedToken(world.dataDir, ana.email);
  secrets.set('reset token', token);
  secrets.set('new password', 'a mais nova senha 9');
  await expectOk(new Browser(world.url).post('/auth/reset-password', { token, password: 'a mais nova senha 9' }));
  refusals.push(await new Browser(world.url).post('/auth/reset-password', { token, password: 'a mais nova senha 9' }));
  refusals.push(await browser.get('/auth/me'), await browser.post('/auth/refresh'));
  refusals.push(
    await new Browser(world.url).post('/auth/login', { username: ana.username, password: { text: ana.password } }),
  );
  refusals.push(await new Browser(world.url).get(`/auth/me?access_token=${store.key}`));
  const { key } = (await expectOk(store.call('POST', '/api-keys', { name: 'PDV' }))) as { key: string };
  secrets.set('new API key', secretOf(key));

  const events = JSON.stringify(await wholeLog(world));
  await world.close('keep');
  const said = refusals.map(({ text }) => text).join('\n');
  for (const answer of refusals) expect(answer.status).toBeGreaterThanOrEqual(400);
  const files = await filesOf(world.dataDir);
  await rm(world.dataDir, { recursive: true });
  expect(files.length).toBeGreaterThan(1);
  expect(log.length).toBeGreaterThan(10);
  for (const [what, text] of secrets) {
    expect(text.length).toBeGreaterThan(9);
    const found = {
      what,
      event: events.includes(text),
      log: log.join('').includes(text),
      refusal: said.includes(text),
    };
    expect(found).toEqual({ what, event: false, log: false, refusal: false });
    for (const { name, bytes } of files) expect([what, name, bytes.includes(text)]).toEqual([what, name, false]);
  }
});

/** Everything in the data folder but the outbox: what is mailed is mailed. */
async function filesOf(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })));
}
