import { expect, test } from '@jest/globals';
import { CHECKPOINT_MAIL } from '../../src/features/audit/verification/daily-checkpoint.js';
import { VERIFICATION } from '../../src/features/audit/verification/verifier.js';
import { restoreRules } from '../../src/operations/backup/restore-rules.js';

const moment = { at: 0, logId: 'b', head: '0000000000000003' };

test.each([
  ['how far it was verified', VERIFICATION],
  ['that its checkpoint of the day was sent', CHECKPOINT_MAIL],
])('of the log before, %s is not said of the log that was cut', (_, kind) => {
  expect(restoreRules.rowAfter({ kind, id: '2026-11-23', value: () => ({}) }, moment)).toBe('goes');
});
