import { expect, test } from '@jest/globals';
import { KnownPages } from '../../../src/features/audit/events/known-pages.js';
import type { Telling, ToldPage } from '../../../src/ports/event-teller.js';

const TELLING: Telling = { language: 'pt', whole: true, hidesCosts: false };

const counting = () => {
  const teller = {
    told: 0,
    tell: (positions: readonly string[]): Promise<ToldPage> => {
      teller.told += 1;
      return Promise.resolve({ count: positions.length, bytes: Buffer.from(positions.join()), names: [], places: [] });
    },
  };
  return teller;
};

test('a page is kept once it was asked for again', async () => {
  const teller = counting();
  const pages = new KnownPages(teller);
  for (let asked = 1; asked <= 4; asked++) {
    expect(await pages.tell(['1', '2', '3'], TELLING)).toMatchObject({ count: 3 });
    expect(teller.told).toBe(Math.min(asked, 2));
  }
});

test('pages with other events between the same ends, or told otherwise, are others', async () => {
  const pages = new KnownPages(counting());
  const told = async (positions: readonly string[]) => Buffer.from((await pages.tell(positions, TELLING)).bytes);
  for (let asked = 0; asked < 3; asked++) {
    expect((await told(['1', '2', '9'])).toString()).toBe('1,2,9');
    expect((await told(['1', '5', '9'])).toString()).toBe('1,5,9');
  }
  const teller = counting();
  const both = new KnownPages(teller);
  await both.tell(['1'], TELLING);
  await both.tell(['1'], { ...TELLING, language: 'en' });
  expect(teller.told).toBe(2);
});
