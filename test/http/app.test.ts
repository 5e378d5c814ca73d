import { PositionTokens } from '../../src/kernel/routes/position-tokens.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestShell } from '../support/shell.js';
import { KEY, TOKEN_SECRET, startShell } from '../support/shell.js';
import { sendRaw } from '../support/raw-http.js';

let shell: TestShell;
beforeAll(async () => {
  shell = await startShell();
});
afterAll(() => shell.stop());

type Problem = Record<string, unknown> & { errors?: { path: string; message: string }[] };

async function problemOf(answer: Response): Promise<Problem> {
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  const problem = (await answer.json()) as Problem;
  expect(problem).toMatchObject({ status: answer.status, requestId: answer.headers.get('x-request-id') });
  return problem;
}

const credentials = `Authorization: Bearer ${KEY}\r\nX-Store-Slug: demo`;

/** fetch closes the connection after HEAD. */
const PER_ANSWER = new Set(['x-request-id', 'date', 'connection', 'keep-alive']);

describe('routing', () => {
  test('a list answers with its query checked', async () => {
    const answer = await shell.call('/things?take=5');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual([{ query: { take: 5 } }]);
  });

  test('a creation answers 201 with the entity tag and what was validated', async () => {
    const answer = await shell.call('/things', { method: 'POST', json: { name: ' Pão ', priceCash: 1.5 } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('etag')).toBe('"0"');
    expect(await answer.json()).toMatchObject({ name: 'Pão', priceCash: 1.5 });
  });

  test('a deletion answers 204 without a body', async () => {
    const answer = await shell.call('/things/known', { method: 'DELETE' });
    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe('');
  });

  test('HEAD answers like GET without the body', async () => {
    const get = await shell.call('/things');
    const head = await shell.call('/things', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    const headers = (answer: Response) =>
      Object.fromEntries([...answer.headers].filter(([name]) => !PER_ANSWER.has(name)));
    expect(headers(head)).toEqual(headers(get));
  });

  test.each([
    ['/things', 'GET, HEAD, POST, OPTIONS'],
    ['/things/known', 'DELETE, GET, HEAD, OPTIONS'],
  ])('a known path refuses other methods and names its own: %s', async (path, allow) => {
    const answer = await shell.call(path, { method: 'PUT', json: {} });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort());
    expect((await problemOf(answer))['code']).toBe('METHOD_NOT_ALLOWED');
  });

  test('OPTIONS names the methods and never allows another origin', async () => {
    const answer = await shell.call('/things', { method: 'OPTIONS', headers: { origin: 'https://evil.example' } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toContain('POST');
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each(['/', '/nothing', '/things/known/more', '/Things', '/things/', '/thingsand', '/nothing?x=1'])(
    'an unknown path is 404: %s',
    async (path) => {
      const answer = await shell.call(path);
      expect(answer.status).toBe(404);
      expect((await problemOf(answer))['code']).toBe('UNKNOWN_PATH');
    },
  );

  test('fixed words come before parameters', async () => {
    expect((await shell.call('/things/by-colour/red')).status).toBe(403);
  });

  test.each([
    ['/things/%00', 400],
    ['/things/%zz', 400],
    ['/things/%', 400],
    ['/things/%ff', 400],
    ['/things?q=%00', 400],
    ['/things?q=%E0%A4', 400],
    ['/things/%252e%252e', 404],
    ['/things/..%2f..%2fetc%2fpasswd', 404],
    [`/things/${'a'.repeat(8192)}`, 404],
  ])('an odd address is answered by its own status: %s', async (path, status) => {
    const answer = await sendRaw(shell.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${credentials}\r\n\r\n`);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
  });

  test('a method override is ignored', async () => {
    const answer = await shell.call('/things/known', { headers: { 'x-http-method-override': 'DELETE' } });
    expect(await answer.json()).toEqual({ id: 'known', name: 'a' });
  });

  test('a range or If-None-Match still gets the whole record', async () => {
    const answer = await shell.call('/things/known', { headers: { range: 'bytes=0-1', 'if-none-match': '"7"' } });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ id: 'known', name: 'a' });
  });
});

describe('credentials', () => {
  test('none, a wrong one and another scheme are 401 before anything else is looked at', async () => {
    for (const authorization of ['', 'Bearer wrong', `Basic ${KEY}`, KEY, `Bearer ${KEY} ${KEY}`]) {
      const answer = await shell.call('/things?wrong=1', { method: 'POST', json: {}, headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('a key in the query is no credential', async () => {
    const answer = await fetch(`${shell.url}/things?api_key=${KEY}`);
    expect(answer.status).toBe(401);
  });

  test('the permission of the route is needed and named', async () => {
    const problem = await problemOf(await shell.call('/things/by-colour/red'));
    expect(problem).toMatchObject({ status: 403, code: 'PERMISSION_DENIED', permission: 'audit.view' });
  });

  test.each([
    ['Authorization', `Authorization: Bearer other\r\n${credentials}`],
    ['X-Store-Slug', `${credentials}\r\nx-store-slug: other`],
  ])('a second %s is 400', async (_name, headers) => {
    const answer = await sendRaw(shell.port, `GET /things HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
    expect(answer.status).toBe(400);
  });
});

describe('input', () => {
  test('every mistake is told with its path', async () => {
    const answer = await shell.call('/things', {
      method: 'POST',
      json: { name: '', priceCash: -1, ids: [1], nope: 1 },
    });
    expect(answer.status).toBe(400);
    const problem = await problemOf(answer);
    expect(problem['code']).toBe('INVALID_INPUT');
    expect(problem.errors?.map(({ path }) => path).sort()).toEqual(['ids[0]', 'name', 'nope', 'priceCash']);
  });

  test.each(['__proto__', 'constructor', 'toString', 'storeId', 'a.b', '$set'])(
    'an unknown field is refused: %s',
    async (field) => {
      const body = `{"name":"a","${field}":{"admin":true}}`;
      const answer = await shell.call('/things', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(400);
      expect((await problemOf(answer)).errors?.[0]?.message).toBe('is not known here');
      expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    },
  );

  test.each(['?nope=1', '?take=1&take=2', '?q[$ne]=1', '?take=101', '?take=1e1', '?take=', '?__proto__=1'])(
    'a wrong query is 400: %s',
    async (query) => {
      expect((await shell.call(`/things${query}`)).status).toBe(400);
    },
  );

  test('a path without declared parameters takes none', async () => {
    expect((await shell.call('/things/known?x=1')).status).toBe(400);
  });

  test('a body on a command that takes none must be an empty object', async () => {
    const remove = (json: unknown) => shell.call('/things/known', { method: 'DELETE', json });
    expect((await remove({})).status).toBe(204);
    expect((await remove({ reason: 'x' })).status).toBe(400);
    expect((await remove([])).status).toBe(400);
  });
});

describe('preconditions', () => {
  const remove = (ifMatch: string) =>
    shell.call('/things/known', { method: 'DELETE', headers: { 'if-match': ifMatch } });

  test.each(['"7"', '*', '"6", "7"', '"7","8"'])('a tag that matches goes on: %s', async (ifMatch) => {
    expect((await remove(ifMatch)).status).toBe(204);
  });

  test.each(['"6"', 'W/"7"', '"abc"', '"6", "8"', '"6",', '"07"'])(
    'a tag that does not is 412: %s',
    async (ifMatch) => {
      const answer = await remove(ifMatch);
      expect(answer.status).toBe(412);
      expect((await problemOf(answer))['code']).toBe('PRECONDITION_FAILED');
    },
  );

  test.each(['7', '"7', 'x"7"', '* , "7"'])('what is no tag is 400: %s', async (ifMatch) => {
    expect((await remove(ifMatch)).status).toBe(400);
  });

  test('a position is handed on, and what is none is 400', async () => {
    const token = new PositionTokens(TOKEN_SECRET).seal('42');
    await shell.call('/things', { headers: { 'x-min-position': token } });
    expect(shell.seen.contexts.at(-1)?.minPosition).toBe('42');
    for (const none of ['x', '42']) {
      expect((await shell.call('/things', { headers: { 'x-min-position': none } })).status).toBe(400);
    }
  });
});

describe('problems', () => {
  test('a refusal keeps its code, title, detail and extra members', async () => {
    const answer = await shell.call('/things', { method: 'POST', json: { name: 'refuse' } });
    expect(await problemOf(answer)).toMatchObject({
      type: '/problems/test-refused',
      title: 'The test refuses it',
      status: 409,
      detail: 'refused as asked',
      code: 'TEST_REFUSED',
      shortages: [1],
    });
  });

  test('a crash is 500, logged with its stack and told to nobody', async () => {
    const answer = await shell.call('/things', { method: 'POST', json: { name: 'crash' } });
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).toContain('INTERNAL_ERROR');
    expect(text).not.toContain('secret');
    const requestId = answer.headers.get('x-request-id');
    const line = shell.log.find((entry) => entry['requestId'] === requestId && entry['err'] !== undefined);
    expect((line?.['err'] as { stack: string }).stack).toContain('a secret of the inside');
  });
});

describe('headers and log', () => {
  test('answers carry the security headers and no banner', async () => {
    for (const path of ['/things', '/nothing']) {
      const { headers } = await shell.call(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('strict-transport-security')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
    }
  });

  test('a sane request id is kept, another is replaced', async () => {
    const idFor = async (wished: string) =>
      (await shell.call('/things', { headers: { 'x-request-id': wished } })).headers.get('x-request-id');
    expect(await idFor('trace-1.a:b')).toBe('trace-1.a:b');
    expect(await idFor('a b')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idFor('x'.repeat(101))).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a trace is logged by its id, and nothing else that is sent in its place', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceIn = async (traceparent: string, requestId: string) => {
      await shell.call('/things', { headers: { traceparent, 'x-request-id': requestId } });
      return shell.log.find((entry) => entry['requestId'] === requestId)?.['traceId'];
    };
    expect(await traceIn(`00-${trace}-00f067aa0ba902b7-01`, 'traced')).toBe(trace);
    expect(await traceIn(`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'zeros')).toBeUndefined();
    expect(await traceIn('anything', 'not-traced')).toBeUndefined();
  });

  test('a refusal is logged with its code', async () => {
    await shell.call('/things/unknown', { headers: { 'x-request-id': 'refused-line' } });
    const lines = shell.log.filter((entry) => entry['requestId'] === 'refused-line');
    expect(lines).toMatchObject([{ level: 30, status: 404, code: 'NOT_FOUND' }]);
  });

  test('each request is one log line without headers, body or path', async () => {
    const json = { name: 'a\r\nINFO forged' };
    const answer = await shell.call('/things', { method: 'POST', json, headers: { 'x-request-id': 'one-line' } });
    expect(answer.status).toBeLessThan(500);
    const lines = shell.log.filter((entry) => entry['requestId'] === 'one-line');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ method: 'POST', route: '/things', status: answer.status, msg: 'request' });
    expect(JSON.stringify(lines)).not.toMatch(/forged|smk_/);
  });
});
