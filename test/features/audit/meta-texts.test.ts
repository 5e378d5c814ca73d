import { expect, test } from '@jest/globals';
import { metaTexts } from '../../../src/features/audit/events/meta-texts.js';

const META = {
  schemaVersion: 3,
  storeId: 'a-store',
  actor: { kind: 'user', id: 'somebody', name: 'João' },
  requestId: 'asked',
  causationId: 'command',
  at: '2026-01-02T03:04:05.678Z',
  hash: '0'.repeat(64),
};

const shown = (meta: object) => {
  const { schemaVersion, actorId, ...texts } = metaTexts(JSON.stringify(meta));
  const parsed = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, JSON.parse(text) as unknown]));
  return { schemaVersion, actorId, ...parsed };
};

test.each<object>([
  {},
  { storeId: null },
  { traceparent: '00-trace-01', keyed: true },
  { actor: { kind: 'apiKey', id: 'key', name: 'Bar "do \\ Zé"\u2028, {fim}"},' } },
  { actor: { kind: 'user', id: 'a"b\\c', name: '' } },
  { requestId: 'line\nand "quote"' },
])('metadata is cut up into what parsing it gives: %p', (more) => {
  const { storeId, actor, requestId, causationId, at, hash, schemaVersion, ...rest } = { ...META, ...more };
  const written = { schemaVersion, storeId, actor, requestId, ...rest, causationId, at, hash };
  const expected = { schemaVersion, storeId, actor, requestId, causationId, at, hash, actorId: actor.id };
  expect(shown(written)).toEqual(expected);
  expect(shown(Object.fromEntries(Object.entries(written).reverse()))).toEqual(expected);
});
