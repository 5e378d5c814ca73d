import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { CROSS_SITE, refuseCrossSite } from '../../src/http/exchange/origin.js';
import { Rejection } from '../../src/kernel/events/rejection.js';

const addresses = ['https://Shop.Example:443/path/', 'http://127.0.0.1:3000', 'not an address'];

function passes(headers: IncomingHttpHeaders, hasCookie: boolean): boolean {
  try {
    refuseCrossSite(headers, { addresses, hasCookie });
    return true;
  } catch (error) {
    if (error instanceof Rejection && error.kind === CROSS_SITE) return false;
    throw error;
  }
}

describe.each([true, false])('a request (with a cookie: %s)', (hasCookie) => {
  test.each<IncomingHttpHeaders>([
    { origin: 'https://shop.example' },
    { origin: 'http://127.0.0.1:3000' },
    { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin' },
  ])('from the own site passes: %o', (headers) => {
    expect(passes(headers, hasCookie)).toBe(true);
  });

  test.each<IncomingHttpHeaders>([
    { origin: 'https://evil.example' },
    { origin: 'http://shop.example' },
    { origin: 'https://shop.example.evil.example' },
    { origin: 'https://shop.example:8443' },
    { origin: 'https://shop.example/' },
    { origin: 'http://127.0.0.1:4000' },
    { origin: 'http://localhost:3000' },
    { origin: 'null' },
    { origin: 'not an address' },
    { origin: '' },
    { origin: 'https://shop.example, https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('from another site is refused: %o', (headers) => {
    expect(passes(headers, hasCookie)).toBe(false);
  });
});

test.each<IncomingHttpHeaders>([{}, { 'sec-fetch-site': 'none' }])(
  'who does not say where from may send no cookie: %o',
  (headers) => {
    expect(passes(headers, true)).toBe(false);
    expect(passes(headers, false)).toBe(true);
  },
);
