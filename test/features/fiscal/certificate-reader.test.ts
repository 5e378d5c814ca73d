import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from '@jest/globals';
import { CertificateReader } from '../../../src/features/fiscal/signing/certificate-reader.js';
import { readCertificate } from '../../../src/features/fiscal/signing/certificates.js';
import { TAX_ID } from '../../support/fiscal/notes.js';
import { asPfx, companyCertificate, testAuthority } from '../../support/tax-authority/certificates.js';

const PASSWORD = 'senha';
const MOST_TRIES = 10;
const given = companyCertificate(testAuthority(), TAX_ID);
/** As slow as a file may be. */
const slow = asPfx(given, PASSWORD, 60_000);
const file = (content: string) =>
  ({ format: 'PFX', content, password: PASSWORD, taxId: TAX_ID, now: Date.now() }) as const;

/** For so many milliseconds at most the event loop stood still meanwhile. */
async function longestDelay(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

test('a file whose password takes long to try holds nobody up', async () => {
  const started = performance.now();
  const expected = readCertificate('PFX', Buffer.from(slow, 'base64'), PASSWORD);
  const inMilliseconds = performance.now() - started;
  const reader = new CertificateReader();
  let read: Awaited<ReturnType<CertificateReader['read']>> | undefined;
  // A busy machine makes the event loop stand still now and then; reading in it would do so each time.
  let least = Infinity;
  for (let tries = 0; tries < MOST_TRIES && least >= inMilliseconds / 3; tries++) {
    const longest = await longestDelay(async () => (read = await reader.read('a store', file(slow))));
    least = Math.min(least, longest);
  }
  expect(read).toMatchObject({ stored: expected, facts: { selfSigned: false } });
  expect(least).toBeLessThan(inMilliseconds / 3);
});

test('what is wrong with a file is said, and the next one is read', async () => {
  const reader = new CertificateReader();
  const readings = [file('bm90aGluZw=='), { ...file(slow), password: 'outra' }, file(asPfx(given, PASSWORD))];
  const [damaged, wrong, right] = await Promise.allSettled(readings.map((one) => reader.read('a store', one)));
  expect(damaged).toMatchObject({ reason: { message: 'it is no PFX file, or a damaged one' } });
  expect(wrong).toMatchObject({ reason: { message: 'the password is wrong' } });
  expect(right).toMatchObject({ status: 'fulfilled' });
});

const WAIT = /too many certificates/;
const refusedToWait = async (readings: readonly Promise<unknown>[]): Promise<number> =>
  (await Promise.allSettled(readings)).filter(
    (outcome) => outcome.status === 'rejected' && WAIT.test(String(outcome.reason)),
  ).length;

test('no more wait than can be served', async () => {
  const reader = new CertificateReader();
  const readings = Array.from({ length: 25 }, (_, store) =>
    reader.read(`store ${String(store)}`, file('bm90aGluZw==')),
  );
  expect(await refusedToWait(readings)).toBe(5);
});

test('a store does not wait for all the files of another', async () => {
  const reader = new CertificateReader();
  let read = 0;
  const flood = Array.from({ length: 30 }, () => reader.read('a store', file(slow)).then(() => read++));
  const refused = refusedToWait(flood);
  await reader.read('another store', file(asPfx(given, PASSWORD)));
  expect(read).toBe(1);
  expect(await refused).toBe(26);
});
