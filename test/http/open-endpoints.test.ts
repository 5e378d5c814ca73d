import { afterEach, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { compressed } from '../../src/http/operations/compressed.js';
import type { HttpOptions } from '../../src/http/options.js';
import type { ProjectionHealth } from '../../src/kernel/projections/projections.js';
import type { OpenStream } from '../../src/kernel/routes/route.js';
import { Followed, route } from '../../src/kernel/routes/route.js';
import { sendRaw } from '../support/raw-http.js';
import type { TestShell } from '../support/shell.js';
import { startShell } from '../support/shell.js';
import { until } from '../support/until.js';

const shells: TestShell[] = [];
afterEach(async () => {
  await Promise.all(shells.splice(0).map((shell) => shell.stop()));
});

/** The one that was started last. */
const lastUrl = (): string => shells.at(-1)?.url ?? '';

async function start(change: Partial<HttpOptions> = {}): Promise<TestShell> {
  const shell = await startShell(change);
  shells.push(shell);
  return shell;
}

/** Asks a service of its own. */
async function get(path: string, change: Partial<HttpOptions> = {}, headers: Record<string, string> = {}) {
  return fetch((await start(change)).url + path, { headers });
}

/** An answer that has begun and goes on until the test ends it. */
async function following() {
  let stream: OpenStream | undefined;
  const follow = route({
    method: 'get',
    path: '/follow',
    tag: 'Things',
    summary: 'Follow things',
    permission: 'authenticated',
    request: { query: z.strictObject({}) },
    response: { status: 200, alternatives: ['text/plain'] },
    handle: () => ({ body: new Followed('text/plain', (opened) => (stream = opened)) }),
  });
  const shell = await start({ routes: [follow] });
  const answer = await shell.call('/follow');
  if (!stream) throw new Error('nothing is followed');
  return { shell, stream, answer };
}

const projection: ProjectionHealth = {
  name: 'things',
  version: 1,
  state: 'live',
  position: '5',
  lagEvents: 2,
  lagMilliseconds: 1500,
};

describe('/healthz', () => {
  test('says how the projections are', async () => {
    const answer = await get('/healthz', { projections: { health: () => [projection] } });
    expect(await answer.json()).toEqual({
      status: 'ok',
      shortenedStreams: 0,
      projections: [{ name: 'things', state: 'live', lagEvents: 2, lagMilliseconds: 1500 }],
      reactors: [],
    });
  });

  test.each([
    [60_000, 'ok'],
    [60_001, 'degraded'],
  ])('of a projection that nobody has brought up for %d ms says that it is %s', async (lagMilliseconds, status) => {
    const answer = await get('/healthz', { projections: { health: () => [{ ...projection, lagMilliseconds }] } });
    expect(await answer.json()).toMatchObject({ status });
  });

  test('says how the reactors are, without their reasons', async () => {
    const reactors = [
      { name: 'bells', state: 'following', lagMilliseconds: 20 },
      { name: 'mail', state: 'stopped', lagMilliseconds: 0, reason: 'an inside matter' },
    ] as const;
    const answer = await get('/healthz', { reactors: () => reactors });
    expect(await answer.json()).toMatchObject({
      status: 'degraded',
      reactors: [reactors[0], { name: 'mail', state: 'stopped', lagMilliseconds: 0 }],
    });
    const metrics = await (await fetch(`${lastUrl()}/metrics`)).text();
    expect(metrics).toContain('reactor_lag_seconds{reactor="bells"} 0.02');
    expect(metrics).toContain('reactor_stopped{reactor="mail"} 1');
  });

  test('a stream that lacks events is counted, not named', async () => {
    const answer = await get('/healthz', { shortened: () => ['inventory-1 lacks its event 0'] });
    expect(await answer.json()).toMatchObject({ status: 'degraded', shortenedStreams: 1 });
  });

  test('a projection that stopped is told without its reasons', async () => {
    const poison = { position: '1', stream: 's', type: 'T', reason: 'an inside matter' };
    const stopped: ProjectionHealth = { ...projection, state: 'stopped', poison };
    const answer = await get('/healthz', { projections: { health: () => [stopped] } });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('degraded');
    expect(text).not.toContain('inside');
  });
});

describe('/readyz', () => {
  test('is 200 when everything is usable', async () => {
    const answer = await get('/readyz', {
      readiness: { log: () => undefined, vault: () => Promise.resolve(undefined) },
    });
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ready' }]);
  });

  test('is 503 naming what is missing', async () => {
    const readiness = {
      log: () => undefined,
      vault: () => Promise.reject(new Error('password of the database')),
      projections: () => 'catching up',
      mail: () => new Promise<undefined>(() => undefined),
    };
    const answer = await get('/readyz', { readiness });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toMatchObject({
      code: 'NOT_READY',
      missing: { vault: 'is away', projections: 'catching up', mail: 'does not answer' },
    });
  });
});

describe('/metrics', () => {
  test('shows measurements by route pattern, and what else is registered', async () => {
    const metrics = new Registry();
    const running = await start({ metrics, projections: { health: () => [projection] } });
    await running.call('/things/known');
    await running.call('/things/unknown');
    await running.call('/nothing/at/all');
    const answer = await fetch(`${running.url}/metrics`);
    expect(answer.headers.get('content-type')).toBe(metrics.contentType);
    const text = await answer.text();
    const count = (labels: string) => `http_request_duration_seconds_count{${labels}} 1`;
    expect(text).toContain(count('method="GET",route="/things/{id}",status="2xx"'));
    expect(text).toContain(count('method="GET",route="/things/{id}",status="4xx"'));
    expect(text).toContain(count('method="GET",route="unknown",status="4xx"'));
    expect(text).toContain('projection_lag_events{projection="things"} 2');
    expect(text).toContain('projection_lag_seconds{projection="things"} 1.5');
    expect(text).toContain('projection_stopped{projection="things"} 0');
  });

  test('an answer without an end is measured when it begins, once', async () => {
    const { shell, stream, answer } = await following();
    const measured = async (): Promise<readonly string[]> =>
      (await (await fetch(`${shell.url}/metrics`)).text()).match(
        /^http_request_duration_seconds_count.*"\/follow".*$/gm,
      ) ?? [];
    const once = ['http_request_duration_seconds_count{method="GET",route="/follow",status="2xx"} 1'];
    expect(await measured()).toEqual(once);
    stream.end('over');
    await answer.text();
    await until('the request is reported', () => shell.log.some(({ route }) => route === '/follow'));
    expect(await measured()).toEqual(once);
  });

  const token = 'a-long-enough-token';

  test.each<[string, Partial<HttpOptions>, Record<string, string>, number]>([
    ['from this machine', {}, {}, 200],
    ['from this machine when there is a token', { metricsToken: token }, {}, 200],
    ['through a proxy on this machine, without the token', { metricsToken: token }, { 'x-forwarded-for': '::1' }, 403],
    ['through a proxy on this machine', {}, { 'x-forwarded-for': '203.0.113.9' }, 403],
    ['through a proxy that claims to be local', {}, { 'x-forwarded-for': '127.0.0.1' }, 403],
    [
      'through a trusted proxy from outside',
      { trustedProxies: ['loopback'] },
      { 'x-forwarded-for': '203.0.113.9' },
      403,
    ],
    [
      'with the token',
      { metricsToken: token },
      { 'x-forwarded-for': '203.0.113.9', authorization: `Bearer ${token}` },
      200,
    ],
    [
      'with a wrong token',
      { metricsToken: token },
      { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer no' },
      403,
    ],
  ])('%s: %#', async (_who, change, headers, status) => {
    expect((await get('/metrics', change, headers)).status).toBe(status);
  });

  test('through a proxy on this machine, however many headers the client sent before its own', async () => {
    const { port } = await start();
    const others = 'a:b\r\n'.repeat(1_100);
    const request = `GET /metrics HTTP/1.1\r\nHost: localhost\r\n${others}X-Forwarded-For: 203.0.113.9\r\n\r\n`;
    expect((await sendRaw(port, request)).status).toBe(403);
  });
});

describe('/docs', () => {
  test('is a page whose files all come from here', async () => {
    const { url } = await start();
    const page = await fetch(`${url}/docs`);
    expect(page.headers.get('content-type')).toContain('text/html');
    const html = await page.text();
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const address of files) {
      const answer = await fetch(new URL(address, url));
      expect(answer.status).toBe(200);
      expect(new URL(answer.url).origin).toBe(url);
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0);
    }
  });

  test('is there with a slash at the end, and comes compressed to who takes that', async () => {
    expect(await (await get('/docs/')).text()).toContain('swagger-ui');
    const bundle = '/docs/swagger-ui-bundle.js';
    const small = await get(bundle, {}, { 'accept-encoding': 'br, gzip' });
    const unzipped = await small.text();
    expect(small.headers.get('content-encoding')).toBe('gzip');
    expect(small.headers.get('vary')).toBe('Accept-Encoding');
    const plain = await get(bundle, {}, { 'accept-encoding': 'gzip;q=0' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(unzipped).toBe(await plain.text());
    expect(Number(small.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 2);
    const document = await get('/openapi.json');
    expect(document.headers.get('content-encoding')).toBe('gzip');
    expect(await document.json()).toHaveProperty('openapi');
  });

  test('filters, and keeps the authorization', async () => {
    const start = await (await get('/docs/start.js')).text();
    expect(start).toContain('filter: true');
    expect(start).toContain('persistAuthorization: true');
  });

  test('allows no script but its own files', async () => {
    const page = await get('/docs');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("default-src 'none'");
    expect(await page.text()).not.toMatch(/<script>|<script [^>]*>[^<]/);
  });
});

describe('transport', () => {
  test.each<[string, Partial<HttpOptions>, Record<string, string>, boolean]>([
    ['an https address', { publicUrls: ['https://shop.example'] }, {}, true],
    ['a trusted proxy that took https', { trustedProxies: ['loopback'] }, { 'x-forwarded-proto': 'https' }, true],
    ['a stranger who says https', {}, { 'x-forwarded-proto': 'https' }, false],
  ])('%s: HSTS %#', async (_what, change, headers, strict) => {
    const answer = await get('/healthz', change, headers);
    expect(answer.headers.has('strict-transport-security')).toBe(strict);
  });
});

test('an answer that never changes waits as the same bytes for everybody who does not read it', async () => {
  const answer = compressed(() => ({ status: 200, headers: [], body: 'pão'.repeat(10_000) }));
  for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
    const [first, second] = await Promise.all([1, 2].map(() => answer({ headers })));
    expect(first?.body).toBeInstanceOf(Buffer);
    expect(second?.body).toBe(first?.body);
  }
});

test('an answer that never changes and could not be made is made for whoever asks next', async () => {
  let isAway = true;
  const answer = compressed(() => {
    if (isAway) throw new Error('the read models are away');
    return { status: 200, headers: [], body: 'here' };
  });
  const headers = { 'accept-encoding': 'gzip' };
  await expect(answer({ headers })).rejects.toThrow(/away/);
  isAway = false;
  expect(await answer({ headers })).toMatchObject({ status: 200 });
  expect(String((await answer({ headers: {} })).body)).toBe('here');
});
