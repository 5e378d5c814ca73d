import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DRILL_STEPS } from '../../src/features/traceability/drills/events.js';
import { SetClock, expectOk, refusal } from '../support/people.js';
import { plainProduct } from '../support/route-examples.js';
import type { Answer, StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

const MINUTE = 60_000;
const clock = new SetClock();
let world: World;
let store: StoreClient;

beforeAll(async () => {
  world = await openWorld({ clock });
  store = await world.newStore();
  const { variantId } = await plainProduct(store, 'Pão');
  const items = [{ variantId, quantity: 10, unitCost: 1, lotCode: 'Pão-7' }];
  await expectOk(store.call('POST', '/stock/receipts', { items }));
  const sold = { items: [{ variantId, quantity: 4, unitPrice: 5 }], payments: [{ method: 'CASH', amount: 20 }] };
  await expectOk(store.call('POST', '/sales', sold));
});
afterAll(() => world.close());

const start = (lotCode: string): Promise<Answer> => store.call('POST', '/recall-drills', { lotCode });
const act = (id: unknown, what: string, body?: unknown): Promise<Answer> =>
  store.call('POST', `/recall-drills/${String(id)}/${what}`, body);
const stepsOf = ({ body }: Answer) =>
  (body as { steps: readonly { name: string; doneAt: string | null }[] }).steps.filter(({ doneAt }) => doneAt !== null);

test('a drill goes from its start through its steps to a record of how it went', async () => {
  const made = await start('pao-7');
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    lotCode: 'Pão-7',
    startedAt: '2026-03-02T12:00:00.000Z',
    startedBy: { kind: 'apiKey', name: 'Teste' },
    steps: DRILL_STEPS.map((name) => ({ name, doneAt: null })),
    finishedAt: null,
    shareFoundPercent: null,
    minutes: null,
    notes: null,
  });
  const { id } = made.body as { readonly id: string };
  clock.wait(5 * MINUTE);
  const found = await act(id, 'steps/LOTS_FOUND');
  expect([found.status, stepsOf(found)]).toEqual([200, [{ name: 'LOTS_FOUND', doneAt: '2026-03-02T12:05:00.000Z' }]]);
  clock.wait(5 * MINUTE);
  const again = await act(id, 'steps/LOTS_FOUND');
  expect([again.status, again.body, again.headers.get('etag')]).toEqual([200, found.body, found.headers.get('etag')]);
  clock.wait(2.5 * MINUTE);
  const done = await act(id, 'finish', { notes: 'Faltou avisar um cliente' });
  expect([done.status, done.body]).toEqual([
    200,
    expect.objectContaining({
      finishedAt: '2026-03-02T12:12:30.000Z',
      minutes: 12.5,
      shareFoundPercent: 100,
      notes: 'Faltou avisar um cliente',
    }),
  ]);
  expect(await store.call('GET', `/recall-drills/${id}`)).toMatchObject({ status: 200, body: done.body });
  for (const late of ['steps/LOTS_FOUND', 'steps/REPORT_PRINTED', 'finish']) {
    expect(refusal(await act(id, late))).toEqual([409, 'DRILL_FINISHED']);
  }
});

test('drills are listed with the newest first, by lot and by time', async () => {
  clock.wait(MINUTE);
  const second = await start('PÃO-7');
  const list = async (query = '') =>
    ((await expectOk(store.call('GET', `/recall-drills${query}`))) as { items: { id: string }[] }).items;
  expect((await list()).map(({ id }) => id)[0]).toBe(second.body.id);
  expect(await list('?lotCode=pao-7')).toHaveLength(2);
  expect(await list('?lotCode=pao')).toEqual([]);
  expect(await list('?limit=1')).toHaveLength(1);
  expect(await list('?to=2026-03-01')).toEqual([]);
});

test('what is unknown is refused: a lot, a step, a drill', async () => {
  expect(refusal(await start('outro'))).toEqual([404, 'LOT_NOT_FOUND']);
  expect((await start('')).status).toBe(400);
  const { id } = (await start('Pão-7')).body as { readonly id: string };
  expect(refusal(await act(id, 'steps/COFFEE'))).toEqual([404, 'NOT_FOUND']);
  expect(refusal(await act(world.service.core.engines.eventStore.logId, 'steps/LOTS_FOUND'))).toEqual([
    404,
    'NOT_FOUND',
  ]);
  expect(refusal(await act(world.service.core.engines.eventStore.logId, 'finish'))).toEqual([404, 'NOT_FOUND']);
  const history = await store.call('GET', `/audit/entities/recallDrill/${id}`);
  expect((history.body as { items: { text: string }[] }).items[0]?.text).toBe(
    'O simulado de recall do lote Pão-7 começou.',
  );
});
