import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from '@jest/globals';
import { FactsAfterCut } from '../../src/adapters/embedded/backup/facts-after-cut.js';
import { LOG_SCHEMA } from '../../src/adapters/embedded/log/file.js';
import { LogCheck } from '../../src/kernel/proof/log-check.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';

test('what a restore adds to a stream is never older than what stands there, also where the machine’s clock is behind', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(LOG_SCHEMA);
  const check = new LogCheck();
  const restoredAt = (now: string, stream: string) => {
    const fact = { stream, storeId: null, type: 'Said', schemaVersion: 1, data: {}, actor: SYSTEM };
    new FactsAfterCut(database, check, Date.parse(now)).append([fact]);
  };
  restoredAt('2026-11-22T10:00:00Z', 'one');
  restoredAt('2026-11-22T09:00:00Z', 'one');
  restoredAt('2026-11-22T09:00:00Z', 'two');
  restoredAt('2026-11-22T11:00:00Z', 'one');
  const rows = database.prepare(`select json_extract(meta, '$.at') as at from events order by position`).all();
  const times = ['10', '10', '09', '11'].map((hour) => ({ at: `2026-11-22T${hour}:00:00.000Z` }));
  expect(rows.map((row) => ({ ...(row as object) }))).toMatchObject(times);
  database.close();
});
