import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { compilingIn } from '../../src/demo/sparing-work.js';

test('what V8 is told about compiling is something that this one knows, and its usual figure is given back', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8', maxBuffer: 2 ** 24 });
  const compiling = compilingIn(process.versions.v8);
  if (compiling) expect(known).toContain(`default: ${compiling.flag}=${String(compiling.usual)}\n`);
});

test('releases of V8 that nobody has looked at are told nothing', () => {
  expect(
    ['11.3.244.8-node.26', '12.4.254.21-node.57', '13.6.233', '14.1.146', '15.0.1', '9.4'].map(
      (v8) => compilingIn(v8)?.flag,
    ),
  ).toEqual([
    '--interrupt-budget',
    '--invocation-count-for-turbofan',
    '--invocation-count-for-turbofan',
    '--invocation-count-for-turbofan',
    undefined,
    undefined,
  ]);
});
