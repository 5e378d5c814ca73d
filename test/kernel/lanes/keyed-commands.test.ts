import { expect, test } from '@jest/globals';
import type { EventMeta } from '../../../src/kernel/events/event.js';
import { KeyedCommands } from '../../../src/kernel/lanes/head.js';

test('what a command recorded stays whole where a read comes to its beginning after its append was answered', () => {
  const keys = new KeyedCommands(0);
  const meta = { keyed: true, causationId: 'command' } as EventMeta;
  for (const revision of [5, 6, 7]) keys.add(meta, revision);
  keys.add(meta, 5);
  expect(keys.find('command')).toEqual({ first: 5, last: 7 });
});
