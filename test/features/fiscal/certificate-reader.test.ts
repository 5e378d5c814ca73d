import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from '@jest/globals';
import { CertificateReader } from '../../../src/features/fiscal/signing/certificate-reader.js';
import { readCertificate } from '../../../src/features/fiscal/signing/certificates.js';
import { TAX_ID } from '../../support/fiscal/notes.js';
import { asPfx, companyCertificate, testAuthority } from '../../support/tax-authority/certificates.js';

const PASSWORD = 'senha';
const given = companyCertificate(testAuthority(), TAX_ID);
/** As slow as a file may be. */
const slow = asPfx(given, PASSWORD, 60_000);
const file = (content: string) =>
  ({ format: 'PFX', content, password: PASSWORD, taxId: TAX_ID, now: Date.now() }) as const;

test('a file whose password takes long to try holds nobody else up', async () => {
  const started = performance.now();
  const expected = readCertificate('PFX', Buffer.from(slow, 'base64'), PASSWORD);
  const inMilliseconds = performance.now() - started;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const { stored, facts } = await new CertificateReader().read(file(slow));
  delay.disable();
  expect(stored).toEqual(expected);
  expect(facts).toMatchObject({ selfSigned: false });
  expect(delay.max / 1e6).toBeLessThan(inMilliseconds / 3);
});

test('what is wrong with a file is said, and the next one is read', async () => {
  const reader = new CertificateReader();
  const readings = [file('bm90aGluZw=='), { ...file(slow), password: 'outra' }, file(asPfx(given, PASSWORD))];
  const [damaged, wrong, right] = await Promise.allSettled(readings.map((one) => reader.read(one)));
  expect(damaged).toMatchObject({ reason: { message: 'it is no PFX file, or a damaged one' } });
  expect(wrong).toMatchObject({ reason: { message: 'the password is wrong' } });
  expect(right).toMatchObject({ status: 'fulfilled' });
});

test('no more wait than can be served', async () => {
  const reader = new CertificateReader();
  const readings = Array.from({ length: 25 }, () => reader.read(file('bm90aGluZw==')));
  const outcomes = await Promise.allSettled(readings);
  const refusals = outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason));
  expect(refusals.filter((reason) => String(reason).includes('too many certificates'))).toHaveLength(5);
});
