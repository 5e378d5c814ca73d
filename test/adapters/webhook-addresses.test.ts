import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isPublicAddress } from '../../src/adapters/safe-http/public-addresses.js';
import { urlRefusal } from '../../src/adapters/safe-http/url-rules.js';

const corpus = JSON.parse(readFileSync('test/fixtures/webhook-addresses.json', 'utf8')) as {
  readonly refuse: Readonly<Record<string, readonly string[]>>;
  readonly accept: readonly string[];
};

describe.each(Object.entries(corpus.refuse))('an address of the kind %s', (_kind, addresses) => {
  test.each(addresses)('%j is refused', (address) => {
    expect(urlRefusal(address, false)).toEqual(expect.any(String));
  });
});

test.each(corpus.accept)('%j is accepted', (address) => {
  expect(urlRefusal(address, false)).toBeUndefined();
});

test.each(['https://http://example.com/h', 'https://https//example.com/h', 'https://com./h', 'https://printer/h'])(
  '%j names a host of one label, which is never public',
  (address) => {
    expect(urlRefusal(address, false)).toBe('must name a public host');
  },
);

test('for development http and loopback may be named, but no other scheme and nothing misleading', () => {
  for (const address of [
    'http://127.0.0.1:4000/h',
    'http://localhost:80/h',
    'http://[::1]:4000/h',
    'https://mongo/h',
  ]) {
    expect([address, urlRefusal(address, true)]).toEqual([address, undefined]);
  }
  for (const address of ['file:///etc/passwd', 'http://a@localhost/h', 'http://local host/h', '', 'http://x\\y/h']) {
    expect(urlRefusal(address, true)).toEqual(expect.any(String));
  }
});

test.each([
  ['93.184.215.14', true],
  ['2606:4700:4700::1111', true],
  ['10.0.0.5', false],
  ['0.0.0.0', false],
  ['169.254.169.254', false],
  ['::1', false],
  ['fd00::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::a9fe:a9fe', false],
  ['2002:7f00:1::1', false],
  ['no address', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
