import { expect, test } from '@jest/globals';
import { MovingLog } from '../../src/adapters/eventstoredb/moving.js';
import type { Connection } from '../../src/adapters/eventstoredb/connection.js';
import type { NewEvent, StoredEvent } from '../../src/ports/event-store.js';

test('two events of one id, which logs of former versions hold, do not go to the server at once', async () => {
  const appended: [number, readonly string[]][] = [];
  const connection = {
    append(_stream: string, expected: number, events: readonly NewEvent[]) {
      appended.push([expected, events.map(({ id }) => id)]);
      return Promise.resolve({ revision: expected + events.length, position: '0' });
    },
  };
  const events = ['a', 'b', 'b', 'c'].map((id, revision): StoredEvent => {
    return { id, stream: 'fiscal-1', revision, position: String(revision), type: 'Noted', data: '{}', meta: '{}' };
  });
  await new MovingLog(connection as unknown as Connection).append(events);
  expect(appended).toEqual([
    [-1, ['a', 'b']],
    [1, ['b', 'c']],
  ]);
});
