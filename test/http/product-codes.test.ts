import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { ProductAnswer } from '../../src/features/products/answers.js';
import { codeEvents } from '../../src/features/products/events.js';
import { isGtin, withCheckDigit } from '../../src/brazil/gtin.js';
import { isOwnGtin } from '../../src/brazil/own-gtin.js';
import { reservationType } from '../../src/kernel/patterns/reservation.js';
import { RESERVATION_GRACE } from '../../src/kernel/patterns/reservations.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';
import { expectOk, refusal, wholeLog } from '../support/people.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Barcodes and SKUs: valid, unique in the store, generated, freed and found. */

let later = 0;
const world = await openWorld({ clock: { now: () => Date.now() + later } });
afterAll(() => world.close());
const store = await world.newStore();

const BREAD = { description: 'Pão', priceCash: 1, priceCredit: 1 };
let count = 0;
/** A barcode that nobody has yet. */
const freshGtin = () => withCheckDigit(`78910${String(++count).padStart(7, '0')}`);
const freshSku = () => `sku-${String(++count)}`;

const post = (body: object, headers = {}, by = store) => by.call('POST', '/products', { ...BREAD, ...body }, headers);
const patch = (id: string, body: object) => store.call('PATCH', `/products/${id}`, body);
const create = async (body: object = {}, by = store): Promise<ProductAnswer> =>
  (await expectOk(post(body, {}, by))) as ProductAnswer;
const find = (code: string, by = store) => by.call('GET', `/products/by-gtin/${code}`);
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();
const firstVariant = ({ variants }: ProductAnswer): string => variants[0]?.id ?? '';

const envelope = () => ({
  commandId: randomUUID(),
  storeId: store.storeId,
  actor: SYSTEM,
  requestId: 'test',
  at: new Date(Date.now() + later).toISOString(),
});
const productStream = (id: string) => `product-${store.storeId}-${id}`;

/** A code that a request held and did not live to confirm. */
const holdOf = (kind: 'gtin' | 'sku', code: string, ownerId: string) =>
  world.service.core.lanes.execute(
    reservationType(kind, codeEvents),
    `${kind}-${store.storeId}-${code}`,
    { type: 'hold', ownerId, claimId: randomUUID() },
    envelope(),
  );

describe('what a product refuses', () => {
  const head = () => world.service.core.engines.eventStore.head();
  const TWINS = [{ label: 'P' }, { label: 'p' }];

  test('leaves nothing in the log, whatever codes it asked for', async () => {
    const { id, variants } = await create({ variants: [{ label: 'P' }, { label: 'M' }] });
    const variant = `/products/${id}/variants/${variants[0]?.id ?? ''}`;
    const stale = { 'if-match': '"999"' };
    const codes = () => ({ sku: freshSku(), gtin: freshGtin() });
    const before = await head();
    const answers = [
      await post({ variants: TWINS, sku: freshSku() }),
      await post({ managerialCost: 999_999_999, profitMargin: 1_000, priceCash: undefined }),
      await post({ variants: [{ sku: 'a' }, { label: 'G', sku: 'A' }] }),
      await store.call('POST', `/products/${id}/variants`, { label: 'm', ...codes() }),
      await store.call('POST', `/products/${id}/variants`, { label: 'G', ...codes() }, stale),
      await store.call('PATCH', variant, { label: 'M', ...codes() }),
      await store.call('PATCH', variant, codes(), stale),
      await store.call('PATCH', `/products/${id}`, { sku: freshSku() }, stale),
      await patch(id, { sku: freshSku(), managerialCost: 999_999_999, profitMargin: 1_000 }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([409, 400, 409, 409, 412, 409, 412, 412, 400]);
    expect(await head()).toBe(before);
  });
});

describe('a barcode', () => {
  test.each(['1', '123', '7891000315508', '78910003155070', '789100031550', 'abc', '12345670000000000000'])(
    'is not %s',
    async (gtin) => {
      const refused = await post({ gtin });
      expect([...refusal(refused), (refused.body as { errors: unknown }).errors]).toEqual([
        400,
        'GTIN_INVALID',
        [{ path: 'gtin', message: 'is no GTIN' }],
      ]);
    },
  );

  test('that is wrong is named by its place', async () => {
    const variants = [{ label: 'P' }, { label: 'M', gtin: '7891000315508' }];
    expect((await post({ variants })).body).toMatchObject({ errors: [{ path: 'variants[1].gtin' }] });
    const { id } = await create();
    expect(refusal(await patch(id, { gtin: '7891000315508' }))).toEqual([400, 'GTIN_INVALID']);
  });

  test('is taken once in a store, with zeros in front or without', async () => {
    const gtin = withCheckDigit('0360002914');
    const upc = withCheckDigit('03600029145');
    await create({ gtin: upc });
    expect(isGtin(gtin)).toBe(false);
    expect(refusal(await post({ gtin: upc }))).toEqual([409, 'GTIN_TAKEN']);
    expect(refusal(await post({ gtin: `0${upc}` }))).toEqual([409, 'GTIN_TAKEN']);
    expect(refusal(await post({ gtin: `00${upc}` }))).toEqual([409, 'GTIN_TAKEN']);
    expect(refusal(await post({ variants: [{ label: 'P', gtin: upc }] }))).toEqual([409, 'GTIN_TAKEN']);
    await create({ gtin: upc }, await world.newStore());
  });

  test('is taken once by 50 creations at once', async () => {
    const gtin = freshGtin();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post({ gtin })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => refusal(answer)[1] === 'GTIN_TAKEN')).toHaveLength(49);
  });

  test('is taken once by many changes of different products at once', async () => {
    const gtin = freshGtin();
    const products = await Promise.all(Array.from({ length: 8 }, () => create()));
    const answers = await Promise.all(products.map(({ id }) => patch(id, { gtin })));
    expect(statuses(answers)).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
  });

  test('belongs to one product however often that is given it at once', async () => {
    const [gtin, { id }] = [freshGtin(), await create()];
    const answers = await Promise.all(Array.from({ length: 8 }, () => patch(id, { gtin })));
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    expect(refusal(await post({ gtin }))).toEqual([409, 'GTIN_TAKEN']);
  });

  test('is free when its product takes another', async () => {
    const [one, two] = [freshGtin(), freshGtin()];
    const { id } = await create({ gtin: one });
    await expectOk(patch(id, { gtin: two }));
    await create({ gtin: one });
    expect(refusal(await patch(id, { gtin: one }))).toEqual([409, 'GTIN_TAKEN']);
  });

  test('is free when its creation was refused', async () => {
    const [gtin, sku] = [freshGtin(), freshSku()];
    await create({ sku });
    expect(refusal(await post({ gtin, sku }))).toEqual([409, 'SKU_TAKEN']);
    await create({ gtin });
  });

  test('is twice in no product', async () => {
    const gtin = freshGtin();
    expect(
      refusal(
        await post({
          variants: [
            { label: 'P', gtin },
            { label: 'M', gtin },
          ],
        }),
      ),
    ).toEqual([409, 'GTIN_TAKEN']);
    await create({ gtin });
  });
});

describe('an SKU', () => {
  test('is taken once in a store, by products and variants, whatever case and accents', async () => {
    await create({ sku: 'Pão Á' });
    expect(refusal(await post({ sku: 'PAO A' }))).toEqual([409, 'SKU_TAKEN']);
    expect(refusal(await post({ variants: [{ label: 'P', sku: 'pao á' }] }))).toEqual([409, 'SKU_TAKEN']);
    const { id } = await create();
    expect(refusal(await patch(id, { sku: 'pao a' }))).toEqual([409, 'SKU_TAKEN']);
    expect(refusal(await store.call('POST', `/products/${id}/variants`, { label: 'x', sku: 'pao a' }))).toEqual([
      409,
      'SKU_TAKEN',
    ]);
  });
  test('is taken once by many creations at once', async () => {
    const sku = freshSku();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ sku })));
    expect(statuses(answers)).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });
  test('is free when it is cleared', async () => {
    const sku = freshSku();
    const { id } = await create({ sku });
    await expectOk(patch(id, { sku: null }));
    await create({ sku });
  });
});

describe('a code that is left empty', () => {
  test.each([[{ gtin: '' }], [{ gtin: null }], [{}]])('is generated for %j', async (body) => {
    const { gtin } = await create(body);
    expect([isGtin(gtin ?? ''), isOwnGtin(gtin ?? '')]).toEqual([true, true]);
  });
  test('is another for each of many', async () => {
    const made = await Promise.all(
      Array.from({ length: 30 }, () => create({ variants: [{ label: 'P' }, { label: 'M' }] })),
    );
    const codes = made.flatMap(({ variants }) => variants.map(({ gtin }) => gtin));
    expect([new Set(codes).size, codes.every(isGtin)]).toEqual([60, true]);
  });
  test('stays when one was generated, and replaces one of a manufacturer', async () => {
    const { id, gtin } = await create();
    expect((await patch(id, { gtin: '' })).body).toMatchObject({ gtin });
    await expectOk(patch(id, { gtin: freshGtin() }));
    const { body } = await patch(id, { gtin: null });
    expect(isOwnGtin((body as ProductAnswer).gtin ?? '')).toBe(true);
  });
});

describe('a code that a request held and never confirmed', () => {
  test('waits while that request may still be at work, and is then given to who asks', async () => {
    const [gtin, owner] = [freshGtin(), randomUUID()];
    await holdOf('gtin', gtin.padStart(14, '0'), owner);
    expect(refusal(await post({ gtin }))).toEqual([409, 'GTIN_TAKEN']);
    later += RESERVATION_GRACE;
    const { id } = await create({ gtin });
    expect((await find(gtin)).body).toMatchObject({ product: { id } });
    const dropped = (await wholeLog(world)).filter(({ stream }) => stream === productStream(owner));
    expect(dropped.map(({ type }) => type)).toEqual(['ProductClaimDropped']);
  });

  test('is given once to many who ask at once', async () => {
    const sku = freshSku();
    await holdOf('sku', sku, randomUUID());
    later += RESERVATION_GRACE;
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({ sku })));
    expect(statuses(answers)).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  test('is given at once when its product is no more', async () => {
    const [gtin, { id }] = [freshGtin(), await create()];
    await holdOf('gtin', gtin.padStart(14, '0'), id);
    await expectOk(store.call('DELETE', `/products/${id}`));
    await create({ gtin });
  });

  test('leaves a product that is there as it was', async () => {
    const [gtin, owner] = [freshGtin(), await create()];
    await holdOf('gtin', gtin.padStart(14, '0'), owner.id);
    later += RESERVATION_GRACE;
    await create({ gtin });
    const { body, headers } = await store.call('GET', `/products/${owner.id}`);
    expect([body, headers.get('etag')]).toEqual([owner, '"0"']);
  });
});

describe('what a code stands for', () => {
  test('is the variant that has it', async () => {
    const gtin = freshGtin();
    const made = await create({ variants: [{ label: 'P' }, { label: 'M', gtin }] });
    const { status, body } = await find(gtin);
    expect([status, body]).toEqual([200, { product: made, variantId: made.variants[1]?.id, quantity: 1 }]);
    expect((await find(gtin.padStart(14, '0'))).body).toEqual(body);
  });
  test('is nothing for a code that nobody has, that is none, or that is of another store', async () => {
    const theirs = await create({ gtin: freshGtin() }, await world.newStore());
    for (const code of [freshGtin(), '7891000315508', 'x', 'a'.repeat(500), theirs.gtin ?? '']) {
      expect(refusal(await find(code))).toEqual([404, 'NOT_FOUND']);
    }
  });
  test('is what a scale weighed or priced, by SKU', async () => {
    const ham = await create({ description: 'Presunto', sku: '123', saleUnit: 'KG' });
    const spice = await create({ description: 'Orégano', sku: '00456', saleUnit: 'G' });
    const label = (digits: string) => find(withCheckDigit(digits));
    expect((await label('200012301250')).body).toEqual({ product: ham, variantId: firstVariant(ham), quantity: 1.25 });
    expect((await label('210012301250')).body).toEqual({ product: ham, variantId: firstVariant(ham), total: 12.5 });
    expect((await label('200045600035')).body).toEqual({
      product: spice,
      variantId: firstVariant(spice),
      quantity: 35,
    });
    expect((await label('200999900035')).status).toBe(404);
  });
  test('is the variant whose SKU a scale printed', async () => {
    const { id, variants } = await create({
      sku: '800',
      variants: [{ label: 'Fatiado', sku: '777' }, { label: 'Peça' }],
    });
    expect((await find(withCheckDigit('200077700100'))).body).toMatchObject({
      product: { id },
      variantId: variants[0]?.id,
    });
    expect((await find(withCheckDigit('200080000100'))).status).toBe(404);
  });
  test('is the product that has the code itself, even where a scale could print it', async () => {
    const gtin = withCheckDigit('200012301300');
    const { id } = await create({ gtin });
    expect((await find(gtin)).body).toMatchObject({ product: { id }, quantity: 1 });
  });
});
