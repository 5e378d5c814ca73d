import { expect, test } from '@jest/globals';
import { EventWindow } from '../../../src/kernel/projections/event-window.js';
import type { StoredEvent } from '../../../src/ports/event-store.js';

const at = (position: string) => ({ position }) as StoredEvent;
const positions = (events: readonly StoredEvent[]) => events.map(({ position }) => position);

test('a window holds what came and was not taken, once and in its order, and knows when it came', () => {
  const window = new EventWindow('10');
  window.add([at('09'), at('10')], { at: 1, clock: 1_001 });
  expect([window.size, window.received, window.end, window.firstAfter('')]).toEqual([0, 0, '10', undefined]);
  window.add([at('11'), at('12')], { at: 2, clock: 1_002 });
  window.add([at('11'), at('12'), at('13')], { at: 3, clock: 1_003 });
  expect([window.size, window.received, window.end]).toEqual([3, 3, '13']);
  expect(positions(window.after('10'))).toEqual(['11', '12', '13']);
  expect(positions(window.after('11'))).toEqual(['12', '13']);
  expect([window.countAfter('12'), window.countAfter('13')]).toEqual([1, 0]);
  expect(['10', '11', '12', '13'].map((position) => window.firstAfter(position)?.at)).toEqual([2, 2, 3, undefined]);

  window.forget('12');
  expect(positions(window.after('10'))).toEqual(['13']);
  expect([window.size, window.received, window.end, window.firstAfter('10')?.clock]).toEqual([1, 3, '13', 1_003]);
});
