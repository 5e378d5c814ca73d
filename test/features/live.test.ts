import { describe, expect, test } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { LiveFeed } from '../../src/features/live/live-feed.js';
import { StoreChanges } from '../../src/features/live/store-changes.js';
import type { Watcher } from '../../src/features/live/watcher.js';
import { PositionTokens } from '../../src/kernel/routes/position-tokens.js';
import type { Permission } from '../../src/kernel/values/permissions.js';
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

/** When it would be noticed anyway. */
const HEARTBEAT = 19_000;

test('a connection whose credential is revoked while it is opened ends at once', async () => {
  const feed = new LiveFeed({
    viewing: new Map(),
    isRevocation: () => true,
    readmit: () => Promise.resolve(undefined),
    heardUpTo: () => '0',
    tokens: new PositionTokens(Buffer.alloc(32, 7)),
    isPosition: () => true,
    onError: (error) => {
      throw error;
    },
  });
  const actor = { kind: 'apiKey', id: 'k', name: 'k' } as const;
  const principal = { storeId: 'aurora', actor, permissions: new Set<Permission>() };
  feed.hear({ type: 'ApiKeyRevoked', data: {}, stream: 'access-aurora', meta: { storeId: 'aurora' } }, '1');
  const stream = new PassThrough();
  feed.watch(principal, undefined, stream);
  const since = performance.now();
  await until('it is over', () => stream.writableEnded);
  expect(performance.now() - since).toBeLessThan(HEARTBEAT);
});
