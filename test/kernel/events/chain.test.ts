import { hash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { CHAIN_START, hashOf, isSealed, sealEvent } from '../../../src/kernel/events/chain.js';
import type { EventMeta } from '../../../src/kernel/events/event.js';

const meta: Omit<EventMeta, 'hash'> = {
  schemaVersion: 1,
  storeId: 's',
  actor: { kind: 'system', id: 'a', name: 'A' },
  requestId: 'r',
  causationId: 'c',
  at: '2026-01-02T03:04:05.000Z',
};
const thing = { id: 'e1', type: 'ThingDone', data: { text: 'maçã' } };

/** As the first releases wrote it down. */
function sealedEarlier(previous: string) {
  const { id, type } = thing;
  const [data, open] = [JSON.stringify(thing.data), JSON.stringify(meta)];
  const link = hash('sha256', `${previous}\n${id}\n${type}\n${data}\n${open}`, 'base64url');
  return { id, type, data, meta: `${open.slice(0, -1)},"hash":"${link}"}` };
}

test('the hash of an event is hexadecimal, over all of it and the one before it', () => {
  const first = sealEvent(CHAIN_START, thing, meta);
  const second = sealEvent(first.hash, thing, meta);
  expect(second.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hashOf(second.event)).toBe(second.hash);
  expect(isSealed(first.hash, second.event)).toBe(true);
  expect(isSealed(CHAIN_START, second.event)).toBe(false);
  const changes = { id: 'e2', type: 'ThingUndone', data: '{}', meta: second.event.meta.replace('"r"', '"q"') };
  for (const [member, value] of Object.entries(changes)) {
    expect(isSealed(first.hash, { ...second.event, [member]: value })).toBe(false);
  }
  expect(isSealed(first.hash, { ...second.event, meta: JSON.stringify(meta) })).toBe(false);
});

test('chains that earlier releases began go on', () => {
  const earlier = sealedEarlier(CHAIN_START);
  expect(isSealed(CHAIN_START, earlier)).toBe(true);
  expect(isSealed(CHAIN_START, { ...earlier, data: '{"text":"pera"}' })).toBe(false);
  const next = sealEvent(hashOf(earlier), thing, meta);
  expect(isSealed(hashOf(earlier), next.event)).toBe(true);
});
