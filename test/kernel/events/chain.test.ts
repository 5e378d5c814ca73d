import { hash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  CHAIN_START,
  LINK_ROOM,
  checkedLink,
  checkedLinkOfBytes,
  hashOf,
  isSealed,
  sealEvent,
} from '../../../src/kernel/events/chain.js';
import type { EventMeta } from '../../../src/kernel/events/event.js';
import type { NewEvent } from '../../../src/ports/event-store.js';

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

test('an event as bytes is judged as it is as texts', () => {
  const first = sealEvent(CHAIN_START, thing, meta);
  const second = sealEvent(first.hash, thing, meta);
  const earlier = sealedEarlier(CHAIN_START);
  const keyed = sealEvent(first.hash, thing, { ...meta, keyed: true }).event;
  const whole = second.event;
  const cases: readonly (readonly [previous: string, event: NewEvent])[] = [
    [CHAIN_START, first.event],
    [first.hash, whole],
    [first.hash, keyed],
    [CHAIN_START, earlier],
    [hashOf(earlier), sealEvent(hashOf(earlier), thing, meta).event],
    [CHAIN_START, whole],
    ['x'.repeat(500), whole],
    ['ã'.repeat(64), whole],
    [first.hash, { ...whole, id: 'e2' }],
    [first.hash, { ...whole, data: whole.data.replace('maçã', 'maçá') }],
    [first.hash, { ...whole, data: '' }],
    [first.hash, { ...whole, data: '{"a":\n1}' }],
    [first.hash, { ...whole, meta: whole.meta.replace('"r"', '"q"') }],
    [first.hash, { ...whole, meta: JSON.stringify(meta) }],
    [first.hash, { ...whole, meta: `{"hash":"${second.hash}",${JSON.stringify(meta).slice(1)}` }],
    [first.hash, { ...whole, meta: 'no JSON' }],
    [first.hash, { ...whole, meta: '' }],
  ];
  for (const [previous, event] of cases) {
    const { id, type, data, meta: stored } = event;
    const around = Buffer.from('around');
    const text = Buffer.from(`${LINK_ROOM}\n${id}\n${type}\n${data}\n${stored}`);
    const bytes = Buffer.concat([around, text, around]);
    const found = checkedLinkOfBytes(previous, bytes, around.length, around.length + text.length);
    expect({ event, ...found }).toEqual({ event, ...checkedLink(previous, event) });
    expect(bytes.subarray(-around.length)).toEqual(around);
  }
});
