import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { granted } from '../support/bakery.js';
import { SetClock } from '../support/people.js';
import type { TracedBakery } from '../support/traced-bakery.js';
import { ORDERS, download, newTracedBakery, sell } from '../support/traced-bakery.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A recall as GS1 EPCIS 2.0, of goods that came back and of an order that was reversed. */

const GTIN = '7891000100103';

const clock = new SetClock();
let world: World;
let store: StoreClient;
let bakery: TracedBakery;
let sale: string;
let reversed: string;
let events: readonly EpcisEvent[];

interface EpcisEvent {
  readonly type: string;
  readonly eventID: string;
  readonly eventTime: string;
  readonly action?: string;
  readonly bizStep: string;
  readonly disposition: string;
  readonly quantityList?: readonly Quantity[];
  readonly inputQuantityList?: readonly Quantity[];
  readonly outputQuantityList?: readonly Quantity[];
  readonly bizTransactionList?: readonly { readonly type: string; readonly bizTransaction: string }[];
}
interface Quantity {
  readonly epcClass: string;
  readonly quantity: number;
  readonly uom?: string;
}

beforeAll(async () => {
  world = await openWorld({ clock });
  store = await world.newStore();
  bakery = await newTracedBakery(store);
  const { items } = (await granted(store.call('GET', '/products?q=P%C3%A3o'))).body as {
    items: readonly { id: string }[];
  };
  await granted(store.call('PATCH', `/products/${items[0]?.id ?? ''}`, { gtin: GTIN }));
  sale = await sell(store, bakery.bread, 6);
  for (const quantity of [1, 2]) {
    await granted(store.call('POST', `/sales/${sale}/returns`, { items: [{ variantId: bakery.bread, quantity }] }));
  }
  const plan = { recipeId: bakery.breadRecipe, batches: 1, expectedAt: '2026-03-03' };
  reversed = ((await granted(store.call('POST', `${ORDERS}/plan`, plan))).body as { id: string }).id;
  clock.wait(3_600_000);
  await granted(store.call('POST', `${ORDERS}/${reversed}/complete`, { outputLotCode: 'P-2' }));
  await sell(store, bakery.bread, 10, {
    items: [{ variantId: bakery.bread, quantity: 10, unitPrice: 2, lotCode: 'P-2' }],
  });
  const wanted = { reason: 'Massa azeda', partial: true };
  await granted(store.call('POST', `${ORDERS}/${reversed}/reverse`, wanted));
  const { text } = await download(world.url, store, { lotCode: 'M-1', format: 'epcis' });
  events = (JSON.parse(text) as { epcisBody: { eventList: EpcisEvent[] } }).epcisBody.eventList;
});
afterAll(() => world.close());

const quantities = (list: readonly Quantity[] = []) =>
  list.map(({ epcClass, quantity, uom }) => [epcClass.slice(epcClass.lastIndexOf('/') + 1), quantity, uom]);

test('an order is a transformation with all that it took and made; its reversal is events of its own', () => {
  const made = events.filter(({ type }) => type === 'TransformationEvent');
  expect(made.map((event) => [quantities(event.inputQuantityList), quantities(event.outputQuantityList)])).toEqual([
    [[['M-1', 10, 'KGM']], [['P-1', 100, undefined]]],
    [[['M-1', 10, 'KGM']], [['P-2', 100, undefined]]],
  ]);
  expect(made.map(({ eventTime }) => eventTime)).toEqual(['2026-03-02T12:00:00.000Z', '2026-03-02T13:00:00.000Z']);
  expect(made[1]?.outputQuantityList?.[0]?.epcClass).toBe(`https://id.gs1.org/01/0${GTIN}/10/P-2`);
  const undone = events.filter(({ eventID }) => eventID.includes('/reversals/'));
  expect(
    undone.map(({ action, bizStep, disposition, quantityList }) => [
      action,
      bizStep,
      disposition,
      quantities(quantityList),
    ]),
  ).toEqual([
    ['DELETE', 'decommissioning', 'inactive', [['P-2', 90, undefined]]],
    ['ADD', 'commissioning', 'active', [['M-1', 9, 'KGM']]],
  ]);
  for (const { bizTransactionList } of undone) {
    expect(bizTransactionList).toEqual([{ type: 'prodorder', bizTransaction: `urn:uuid:${reversed}` }]);
  }
});

test('a sale says what was sold, and each return what came back', () => {
  const sold = events.filter(({ bizStep }) => bizStep === 'retail_selling');
  expect(sold.map(({ quantityList }) => quantities(quantityList))).toEqual([
    [['P-1', 6, undefined]],
    [['P-2', 10, undefined]],
  ]);
  expect(sold[0]?.bizTransactionList).toEqual([{ type: 'inv', bizTransaction: `urn:uuid:${sale}` }]);
  const back = events.filter(({ disposition }) => disposition === 'returned');
  expect(back.map(({ action, bizStep, quantityList }) => [action, bizStep, quantities(quantityList)])).toEqual([
    ['OBSERVE', 'receiving', [['P-1', 1, undefined]]],
    ['OBSERVE', 'receiving', [['P-1', 2, undefined]]],
  ]);
  for (const { bizTransactionList } of back) {
    expect(bizTransactionList?.map(({ type }) => type)).toEqual(['inv', 'rma']);
  }
});

/** The words of the core business vocabulary that are used here. */
const STEPS = ['commissioning', 'decommissioning', 'receiving', 'retail_selling'];
const DISPOSITIONS = ['active', 'inactive', 'retail_sold', 'returned'];
const URI = /^(?:urn:uuid:[0-9a-f-]{36}|https?:\/\/[^\s]+)$/;

test('every event has what the standard requires, in its words', () => {
  expect(new Set(events.map(({ eventID }) => eventID)).size).toBe(events.length);
  for (const event of events) {
    expect(event.eventID).toMatch(URI);
    expect(event).toMatchObject({ eventTimeZoneOffset: '-03:00' });
    expect(new Date(event.eventTime).toISOString()).toBe(event.eventTime);
    expect([STEPS.includes(event.bizStep), DISPOSITIONS.includes(event.disposition)]).toEqual([true, true]);
    if (event.type === 'ObjectEvent') expect(['ADD', 'OBSERVE', 'DELETE']).toContain(event.action);
    else expect(event).toMatchObject({ type: 'TransformationEvent', transformationID: expect.stringMatching(URI) });
    const lists = [event.quantityList, event.inputQuantityList, event.outputQuantityList];
    for (const { epcClass, quantity } of lists.flatMap((list) => list ?? [])) {
      expect([URI.test(epcClass), quantity > 0]).toEqual([true, true]);
    }
    for (const { bizTransaction } of event.bizTransactionList ?? []) expect(bizTransaction).toMatch(URI);
  }
});
