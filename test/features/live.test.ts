import { describe, expect, test } from '@jest/globals';
import { StoreChanges } from '../../src/features/live/store-changes.js';
import type { Watcher } from '../../src/features/live/watcher.js';
import { until } from '../support/until.js';

function listening() {
  const heard: string[][] = [];
  const watcher = { tell: (kinds: Iterable<string>) => void heard.push([...kinds]) } as unknown as Watcher;
  return { heard, watcher };
}

describe('the changes of a store', () => {
  test('are told to a newcomer from its coming on, though older ones wait to be told', async () => {
    const changes = new StoreChanges('0', (position) => position);
    const early = listening();
    changes.join(early.watcher);
    changes.note(['category'], '1');
    await until('the first change is told', () => early.heard.length === 1);
    changes.note(['sale', 'product'], '2');
    const late = listening();
    changes.join(late.watcher);
    changes.note(['product', 'brand'], '3');
    await until('the others are told', () => early.heard.length === 2);
    expect(early.heard).toEqual([['category'], ['sale', 'product', 'brand']]);
    expect(late.heard).toEqual([['product', 'brand']]);
  });
});
