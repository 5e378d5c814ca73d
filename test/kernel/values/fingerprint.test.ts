import { expect, test } from '@jest/globals';
import { fingerprintOf } from '../../../src/kernel/values/fingerprint.js';

test('equal values have one fingerprint, in whatever order their members stand, and others have another', () => {
  const one = { name: 'Pão', items: [{ quantity: '1.5', note: undefined }, null], draft: true };
  const same = { draft: true, items: [{ quantity: '1.5' }, null], name: 'Pão' };
  expect(fingerprintOf(same)).toBe(fingerprintOf(one));
  const others = [
    { ...one, items: [null, { quantity: '1.5' }] },
    { ...one, draft: null },
    { ...one, draft: 'true' },
    { ...one, name: 'Pao' },
  ];
  expect(new Set([one, ...others].map(fingerprintOf)).size).toBe(5);
});
