import { describe, expect, test } from '@jest/globals';
import { parseCookies, SessionCookies } from '../../src/http/exchange/cookies.js';

const parsed = (header: string | undefined) => Object.fromEntries(parseCookies(header));

describe('the Cookie header', () => {
  test('is read by name', () => {
    expect(parsed('a=1; b=x.y-z_;c=;  d = spaced ')).toEqual({ a: '1', b: 'x.y-z_', c: '', d: 'spaced' });
    expect(parsed('token=abc==')).toEqual({ token: 'abc==' });
    expect(parsed(undefined)).toEqual({});
    expect(parsed('')).toEqual({});
  });

  test('that names a cookie twice leaves it out', () => {
    expect(parsed('sm_access=mine; other=1; sm_access=planted')).toEqual({ other: '1' });
    expect(parsed('a=1; a=1; a=1')).toEqual({});
  });

  test('loses what no cookie can be', () => {
    expect(parsed('noequals; =nameless; sp ace=1; q="quoted"; é=1; v=é; c=a,b; ok=1')).toEqual({ ok: '1' });
    expect(parsed('__proto__=x; constructor=y')).toEqual(
      Object.fromEntries([
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ]),
    );
  });

  test('is not read when it is far too long', () => {
    expect(parsed(`a=1; b=${'x'.repeat(8_192)}`)).toEqual({});
    expect(Object.keys(parsed(';'.repeat(8_000)))).toEqual([]);
  });
});

describe('the cookies of a session', () => {
  test('over http', () => {
    const cookies = new SessionCookies(false);
    expect(cookies.set('AAA', 'RRR')).toEqual([
      'sm_access=AAA; Path=/; Max-Age=900; HttpOnly; SameSite=Lax',
      'sm_refresh=RRR; Path=/auth; Max-Age=2592000; HttpOnly; SameSite=Lax',
    ]);
    expect(cookies.clear()).toEqual([
      'sm_access=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
      'sm_refresh=; Path=/auth; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
  });

  test('over https are secure and carry the prefixes', () => {
    const cookies = new SessionCookies(true);
    expect(cookies.set('AAA', 'RRR')).toEqual([
      '__Host-sm_access=AAA; Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure',
      '__Secure-sm_refresh=RRR; Path=/auth; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure',
    ]);
    expect(cookies.clear()).toEqual([
      '__Host-sm_access=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
      '__Secure-sm_refresh=; Path=/auth; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ]);
  });

  test('are found again under their own names alone', () => {
    const plain = new SessionCookies(false);
    const secure = new SessionCookies(true);
    const sent = parseCookies('sm_access=A; sm_refresh=R; __Host-sm_access=HA; __Secure-sm_refresh=SR');
    expect([plain.accessToken(sent), plain.refreshToken(sent)]).toEqual(['A', 'R']);
    expect([secure.accessToken(sent), secure.refreshToken(sent)]).toEqual(['HA', 'SR']);
    expect(secure.accessToken(parseCookies('sm_access=A'))).toBeUndefined();
  });

  test('take no value that would become an attribute', () => {
    expect(() => new SessionCookies(true).set('a; Domain=evil.example', 'r')).toThrow('does not fit');
    expect(() => new SessionCookies(true).set('a', 'r\r\nSet-Cookie: x=y')).toThrow('does not fit');
  });
});
