import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { z } from 'zod';
import { Claim } from '../../src/http/idempotency/claim.js';
import { Idempotency } from '../../src/http/idempotency/idempotency.js';
import { NOT_FOUND, Rejection } from '../../src/kernel/events/rejection.js';
import type { Principal, RequestFacts } from '../../src/kernel/routes/request-context.js';
import { route } from '../../src/kernel/routes/route.js';
import { RowConflict, START, StoreUnavailable } from '../../src/ports/event-store.js';
import { MemoryVault } from '../support/memory-vault.js';
import type { TestShell } from '../support/shell.js';
import { fakeContext, PRINCIPAL, REFUSED, startShell } from '../support/shell.js';
import { until } from '../support/until.js';

const DAY = 24 * 60 * 60 * 1000;

/** A log that finds the events of a repeated command by its seed, and what a handler does with it. */
class Backend {
  now = Date.UTC(2026, 10, 1);
  readonly vault = new MemoryVault(() => this.now);
  readonly facts: RequestFacts[] = [];
  readonly recorded = new Map<string, number>();
  /** What the handler does before it answers. */
  behave: (record: () => Promise<void>) => Promise<void> = (record) => record();

  constructor(readonly storesRows: boolean) {}

  context(facts: RequestFacts) {
    this.facts.push(facts);
    let recorded = false;
    const record = async () => {
      const times = this.recorded.get(facts.seed.entropy) ?? 0;
      if (times > 0 && facts.repeatSince === undefined) throw new Error('a repeat was not told that it is one');
      if (times === 0 && facts.claim) await this.vault.write([facts.claim]);
      this.recorded.set(facts.seed.entropy, 1);
      recorded = true;
    };
    return Object.assign(fakeContext(facts), {
      record,
      recorded: () => recorded,
      visibleEverywhere: () => undefined,
      lastPosition: () => (recorded ? '42' : undefined),
      answerPosition: () => (recorded ? '42' : START),
    });
  }
}

const shells: TestShell[] = [];
afterEach(() => Promise.all(shells.splice(0).map((shell) => shell.stop())));

const body = z.strictObject({ name: z.string(), note: z.string().optional() });

async function start(backend: Backend, principal: () => Principal = () => PRINCIPAL): Promise<TestShell> {
  const endpoint = (path: string, method: 'post' | 'put', personal = false) =>
    route({
      method,
      path,
      personal,
      tag: 'Orders',
      summary: 'Order',
      permission: 'authenticated',
      request: { body },
      response: { status: 201 },
      handle: async (input, context) => {
        const cost = context.may('production.costs') ? { cost: 3 } : {};
        const stock = context.may('stock.view') ? { stock: 5 } : {};
        await backend.behave((context as ReturnType<Backend['context']>).record);
        const { at } = context;
        return { body: { id: context.newId(), at, name: input.body.name, ...cost, ...stock }, etag: 3 };
      },
    });
  const shell = await startShell(
    {
      routes: [
        endpoint('/orders', 'post'),
        endpoint('/orders', 'put'),
        endpoint('/other', 'post'),
        endpoint('/people', 'post', true),
      ],
      authenticate: principal,
      services: { contextFor: (facts) => backend.context(facts) },
      eventStore: { exclusive: true, storesRows: backend.storesRows, isPosition: () => true },
      clock: { now: () => backend.now },
      vault: backend.vault,
    },
    { stopMilliseconds: 50 },
  );
  shells.push(shell);
  return shell;
}

const order = (shell: TestShell, key: string, json: unknown = { name: 'a' }, path = '/orders', method = 'POST') =>
  shell.call(path, { method, json, headers: { 'idempotency-key': key } });

const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;

const whole = async (answer: Response) => ({
  status: answer.status,
  etag: answer.headers.get('etag'),
  position: answer.headers.get('x-position'),
  type: answer.headers.get('content-type'),
  body: await answer.text(),
});

const isReplayed = (answer: Response) => answer.headers.get('idempotency-replayed') === 'true';

describe.each([
  ['where appends store rows', true],
  ['where the claim comes first', false],
])('%s', (_name, storesRows) => {
  test('a repeat gets the first answer and runs nothing', async () => {
    const backend = new Backend(storesRows);
    const shell = await start(backend);
    const first = await order(shell, 'k');
    const again = await order(shell, 'k');
    expect([first.status, isReplayed(first), isReplayed(again)]).toEqual([201, false, true]);
    expect(await whole(again)).toEqual(await whole(first));
    expect(backend.facts).toHaveLength(1);
    expect(backend.facts[0]).toMatchObject({ keyed: true, repeatSince: undefined });
  });

  test('a repeat of who may see less by now is answered anew, and does nothing again', async () => {
    const backend = new Backend(storesRows);
    let principal: Principal = { ...PRINCIPAL, permissions: new Set(['production.costs']) };
    const shell = await start(backend, () => principal);
    const first = (await (await order(shell, 'k')).json()) as object;
    expect(first).toMatchObject({ cost: 3 });
    principal = { ...PRINCIPAL, permissions: new Set() };
    const { cost: _, ...rest } = first as { cost: number };
    for (let times = 0; times < 2; times++) {
      const again = await order(shell, 'k');
      expect([again.status, isReplayed(again), await again.json()]).toEqual([201, true, rest]);
    }
    expect(backend.facts.map(({ repeatSince }) => repeatSince !== undefined)).toEqual([false, true]);
    expect(new Set(backend.facts.map(({ seed }) => seed.entropy)).size).toBe(1);
  });

  test('what recorded nothing is not done again for who may see less by now, and not shown either', async () => {
    const backend = new Backend(storesRows);
    let principal: Principal = { ...PRINCIPAL, permissions: new Set(['production.costs']) };
    const shell = await start(backend, () => principal);
    backend.behave = () => Promise.resolve();
    expect(await (await order(shell, 'k')).json()).toMatchObject({ cost: 3 });
    principal = { ...PRINCIPAL, permissions: new Set() };
    expect(await codeOf(await order(shell, 'k'))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(backend.facts).toHaveLength(1);
  });

  test('one right that is gone of several that decided it is enough for that', async () => {
    const backend = new Backend(storesRows);
    let principal: Principal = { ...PRINCIPAL, permissions: new Set(['production.costs', 'stock.view']) };
    const shell = await start(backend, () => principal);
    const { stock, ...rest } = (await (await order(shell, 'k')).json()) as { stock: number };
    expect(stock).toBe(5);
    principal = { ...PRINCIPAL, permissions: new Set(['production.costs']) };
    expect(await (await order(shell, 'k')).json()).toEqual(rest);
  });

  test('a conflict is given again as it was, also to who may see less by now', async () => {
    const backend = new Backend(storesRows);
    let principal: Principal = { ...PRINCIPAL, permissions: new Set(['production.costs']) };
    const shell = await start(backend, () => principal);
    backend.behave = () => Promise.reject(new Rejection(REFUSED));
    const first = await whole(await order(shell, 'k'));
    principal = { ...PRINCIPAL, permissions: new Set() };
    backend.behave = (record) => record();
    expect(await whole(await order(shell, 'k'))).toEqual(first);
    expect([first.status, backend.facts.length]).toEqual([409, 1]);
  });

  test('rights that decide nothing of an answer change nothing about it', async () => {
    const backend = new Backend(storesRows);
    let principal: Principal = { ...PRINCIPAL, permissions: new Set(['production.costs', 'audit.view']) };
    const shell = await start(backend, () => principal);
    const first = await order(shell, 'k');
    principal = { ...PRINCIPAL, permissions: new Set(['production.costs']) };
    expect(await whole(await order(shell, 'k'))).toEqual(await whole(first));
    expect(backend.facts).toHaveLength(1);
  });

  test('a failure while it is made anew does not let the command be done twice', async () => {
    const backend = new Backend(storesRows);
    let principal: Principal = { ...PRINCIPAL, permissions: new Set(['production.costs']) };
    const shell = await start(backend, () => principal);
    await order(shell, 'k');
    principal = { ...PRINCIPAL, permissions: new Set() };
    backend.behave = () => Promise.reject(new StoreUnavailable('away', false));
    expect((await order(shell, 'k')).status).toBe(503);
    backend.behave = (record) => record();
    const again = await order(shell, 'k');
    expect([again.status, isReplayed(again)]).toEqual([201, true]);
    expect(backend.recorded.size).toBe(1);
  });

  test('a restart changes nothing about it', async () => {
    const backend = new Backend(storesRows);
    const shell = await start(backend);
    const first = await order(shell, 'k');
    await shell.stop();
    const again = await order(await start(backend), 'k');
    expect(isReplayed(again)).toBe(true);
    expect(await whole(again)).toEqual(await whole(first));
  });

  test('the order of members does not matter, what they say does', async () => {
    const backend = new Backend(storesRows);
    const shell = await start(backend);
    await order(shell, 'k', { name: 'a', note: 'n' });
    expect(isReplayed(await order(shell, 'k', { note: 'n', name: 'a' }))).toBe(true);
    for (const other of [
      await order(shell, 'k', { name: 'b', note: 'n' }),
      await order(shell, 'k', { name: 'a', note: 'n' }, '/other'),
      await order(shell, 'k', { name: 'a', note: 'n' }, '/orders', 'PUT'),
    ]) {
      expect([other.status, await codeOf(other)]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    }
  });

  test('while the first runs, a second is refused', async () => {
    const backend = new Backend(storesRows);
    const shell = await start(backend);
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    backend.behave = (record) => finished.then(record);
    const first = order(shell, 'k');
    await until('the first runs', () => backend.facts.length === 1);
    expect(await codeOf(await order(shell, 'k'))).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(await codeOf(await order(shell, 'k', { name: 'b' }))).toBe('IDEMPOTENCY_KEY_REUSED');
    finish();
    expect((await first).status).toBe(201);
    expect(isReplayed(await order(shell, 'k'))).toBe(true);
  });

  test('each caller has keys of its own', async () => {
    const backend = new Backend(storesRows);
    let caller = 'one';
    const shell = await start(backend, () => ({ ...PRINCIPAL, actor: { ...PRINCIPAL.actor, id: caller } }));
    await order(shell, 'k');
    caller = 'two';
    const other = await order(shell, 'k', { name: 'b' });
    expect([other.status, isReplayed(other)]).toEqual([201, false]);
  });

  test('a conflict is kept', async () => {
    const backend = new Backend(storesRows);
    const shell = await start(backend);
    backend.behave = () => Promise.reject(new Rejection(REFUSED));
    const first = await order(shell, 'k');
    backend.behave = (record) => record();
    const again = await order(shell, 'k');
    expect([first.status, isReplayed(again)]).toEqual([409, true]);
    expect(await whole(again)).toEqual(await whole(first));
  });

  test('an answer about a person is kept nowhere, and made anew of what was recorded; a conflict tells of nobody', async () => {
    const backend = new Backend(storesRows);
    const shell = await start(backend);
    const register = (key: string) => order(shell, key, { name: 'Ana' }, '/people');
    const first = await whole(await register('k'));
    expect(JSON.stringify(await backend.vault.list('idempotency', { limit: 9 }))).not.toContain('Ana');
    const again = await register('k');
    expect([isReplayed(again), await whole(again)]).toEqual([true, first]);
    expect(backend.facts.map(({ repeatSince }) => repeatSince)).toEqual([undefined, backend.now]);
    expect(backend.recorded.size).toBe(1);
    backend.behave = () => Promise.reject(new Rejection(REFUSED));
    const refused = [await register('l'), await register('l')];
    expect(refused.map((answer) => [answer.status, isReplayed(answer)])).toEqual([
      [409, false],
      [409, true],
    ]);
    expect(backend.facts).toHaveLength(3);
  });

  test('a success that recorded nothing is kept', async () => {
    const backend = new Backend(storesRows);
    const shell = await start(backend);
    backend.behave = () => Promise.resolve();
    const first = await order(shell, 'k');
    await shell.stop();
    expect(await whole(await order(await start(backend), 'k'))).toEqual(await whole(first));
    expect(backend.facts).toHaveLength(1);
  });

  test.each([
    ['no record', new Rejection(NOT_FOUND), 404],
    ['a crash', new Error('crash'), 500],
    ['a store that is away', new StoreUnavailable('away', false), 503],
  ])('%s is not kept, and the key is free for any request', async (_reason, error, status) => {
    const backend = new Backend(storesRows);
    const shell = await start(backend);
    backend.behave = () => Promise.reject(error);
    expect((await order(shell, 'k')).status).toBe(status);
    backend.behave = (record) => record();
    const again = await order(shell, 'k', { name: 'b' });
    expect([again.status, isReplayed(again)]).toEqual([201, false]);
    expect(backend.facts[1]?.seed).not.toEqual(backend.facts[0]?.seed);
  });

  test('an invalid body neither claims the key nor is answered from it', async () => {
    const backend = new Backend(storesRows);
    const shell = await start(backend);
    expect((await order(shell, 'k', { name: 1 })).status).toBe(400);
    expect((await order(shell, 'k')).status).toBe(201);
    expect((await order(shell, 'k', { name: 1 })).status).toBe(400);
  });

  test('an answer that was lost after recording is built again with the same seed', async () => {
    const backend = new Backend(storesRows);
    const shell = await start(backend);
    backend.behave = async (record) => {
      await record();
      throw new StoreUnavailable('the connection broke', true);
    };
    expect((await order(shell, 'k')).status).toBe(503);
    backend.behave = (record) => record();
    const again = await order(shell, 'k');
    expect([again.status, isReplayed(again)]).toEqual([201, true]);
    expect(backend.facts[1]).toMatchObject({ seed: backend.facts[0]?.seed, repeatSince: backend.now });
    expect(backend.recorded.size).toBe(1);
    expect(await whole(await order(shell, 'k'))).toEqual(await whole(again));
    expect(backend.facts).toHaveLength(2);
  });

  test('after 24 hours the key is new', async () => {
    const backend = new Backend(storesRows);
    const shell = await start(backend);
    await order(shell, 'k');
    backend.now += DAY - 1;
    expect(isReplayed(await order(shell, 'k'))).toBe(true);
    backend.now += 1;
    const anew = await order(shell, 'k', { name: 'b' });
    expect([anew.status, isReplayed(anew)]).toEqual([201, false]);
  });

  test.each(['', 'a b', 'x'.repeat(256), 'é'])('what is no key is 400: %j', async (key) => {
    const shell = await start(new Backend(storesRows));
    expect((await order(shell, key)).status).toBe(400);
  });

  test('the longest key is taken', async () => {
    const shell = await start(new Backend(storesRows));
    expect((await order(shell, '~'.repeat(255))).status).toBe(201);
  });
});

describe('where appends store rows', () => {
  test('a repeat is answered while the first answer is still on its way to disk', async () => {
    const backend = new Backend(true);
    const shell = await start(backend);
    const write = backend.vault.write.bind(backend.vault);
    const held: (() => void)[] = [];
    backend.vault.write = (writes) =>
      writes.some(({ expected }) => expected === 'any')
        ? new Promise((resolve) => held.push(() => void write(writes).then(resolve)))
        : write(writes);
    const first = await order(shell, 'k');
    const again = await order(shell, 'k');
    expect([first.status, isReplayed(again), held.length]).toEqual([201, true, 1]);
    for (const go of held) go();
  });

  test('a conflict waits until it is kept', async () => {
    const backend = new Backend(true);
    const shell = await start(backend);
    backend.behave = () => Promise.reject(new Rejection(REFUSED));
    backend.vault.write = () => Promise.reject(new StoreUnavailable('disk full', false));
    expect((await order(shell, 'k')).status).toBe(503);
  });

  test('a process that died between append and answer left a seed to go on with', async () => {
    const backend = new Backend(true);
    const shell = await start(backend);
    const write = backend.vault.write.bind(backend.vault);
    backend.vault.write = (writes) =>
      writes.some(({ expected }) => expected === 'any') ? new Promise(() => undefined) : write(writes);
    const first = await order(shell, 'k');
    await shell.stop();
    backend.vault.write = write;
    const again = await order(await start(backend), 'k');
    expect(isReplayed(again)).toBe(true);
    expect(await whole(again)).toEqual(await whole(first));
    expect(backend.recorded.size).toBe(1);
  });
});

describe('where the claim comes first', () => {
  const unfinished = () => new Promise<void>(() => undefined);

  test('what met a row in its way goes on with its seed: it may have recorded a part', async () => {
    const backend = new Backend(false);
    const shell = await start(backend);
    backend.behave = async (record) => {
      await record();
      throw new RowConflict();
    };
    expect(await codeOf(await order(shell, 'k'))).toBe('IDEMPOTENCY_IN_PROGRESS');
    backend.behave = (record) => record();
    const again = await order(shell, 'k');
    expect([again.status, isReplayed(again)]).toEqual([201, true]);
    expect(backend.facts[1]).toMatchObject({ seed: backend.facts[0]?.seed, repeatSince: backend.now });
    expect(backend.recorded.size).toBe(1);
  });

  /** A process that has a key's claim and comes to no end, and another one beside it. */
  async function besideDead() {
    const backend = new Backend(false);
    const dead = await start(backend);
    backend.behave = unfinished;
    const abandoned = order(dead, 'k').catch(() => undefined);
    await until('the first runs', () => backend.facts.length === 1);
    const alive = await start(backend);
    backend.behave = (record) => record();
    const buryDead = async (): Promise<void> => {
      await dead.stop();
      await abandoned;
    };
    return { backend, alive, buryDead };
  }

  test('another process waits out a claim, then takes it over with its seed', async () => {
    const { backend, alive, buryDead } = await besideDead();
    backend.now += 29_000;
    expect(await codeOf(await order(alive, 'k'))).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(await codeOf(await order(alive, 'k', { name: 'b' }))).toBe('IDEMPOTENCY_KEY_REUSED');
    backend.now += 1_000;
    const third = await start(backend);
    const answers = await Promise.all([order(alive, 'k'), order(third, 'k')]);
    expect(answers.map(({ status }) => status)).toContain(201);
    expect(backend.facts).toHaveLength(2);
    expect(backend.facts[1]).toMatchObject({ seed: backend.facts[0]?.seed, repeatSince: backend.now - 30_000 });
    await buryDead();
  });

  test('a claim of a process that died before its clock was set back is not waited for until that time comes again', async () => {
    const { backend, alive, buryDead } = await besideDead();
    backend.now -= 3_600_000;
    expect((await order(alive, 'k')).status).toBe(201);
    expect(backend.facts[1]?.seed).toEqual(backend.facts[0]?.seed);
    await buryDead();
  });

  test('a claim is renewed while its request runs, and its answer is kept all the same', async () => {
    jest.useFakeTimers();
    try {
      let now = 1_000;
      const vault = new MemoryVault(() => now);
      const value = { requestHash: 'h', seed: { at: now, entropy: 'e' }, claimedAt: now, renewedAt: now };
      await vault.write([{ kind: 'idempotency', id: 'k', value, expected: 'absent', firstVersion: 1 }]);
      const claim = new Claim('k', value, 1, false, vault, { now: () => now }, pino({ level: 'silent' }));
      now = 11_000;
      await jest.advanceTimersByTimeAsync(10_000);
      expect((await vault.get('idempotency', 'k'))?.value).toEqual({ ...value, renewedAt: 11_000 });
      await claim.settle({
        answer: { status: 200, headers: [], body: 'done' },
        recorded: true,
        rightsAsked: new Map(),
      });
      expect((await vault.get('idempotency', 'k'))?.value).toMatchObject({ answer: { status: 200, body: 'done' } });
      await jest.advanceTimersByTimeAsync(60_000);
      expect((await vault.get('idempotency', 'k'))?.version).toBe(3);
    } finally {
      jest.useRealTimers();
    }
  });

  test.each([
    { status: 503, recorded: false, uncertain: true },
    { status: 201, recorded: true, uncertain: false },
  ])('an answer of $status waits for its row a moment alone where the vault hangs', async ({ status, ...came }) => {
    const vault = new MemoryVault();
    const logger = pino({ level: 'silent' });
    const idempotency = new Idempotency({ vault, storesRows: false, clock: { now: Date.now }, logger });
    const answered = idempotency.answer({ rowId: 'k', requestHash: 'h', permissions: new Set() }, () => {
      jest.spyOn(vault, 'write').mockReturnValue(new Promise(() => undefined));
      return Promise.resolve({ answer: { status, headers: [], body: '{}' }, rightsAsked: new Map(), ...came });
    });
    expect(await Promise.race([answered, pause(3_500, 'it waits')])).toMatchObject({ status });
  });
});
