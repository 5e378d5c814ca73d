import { describe, expect, test } from '@jest/globals';
import { noteSaved, Passing } from '../../../src/kernel/projections/passing.js';
import type { Track } from '../../../src/kernel/projections/track.js';
import type { StoredEvent } from '../../../src/ports/event-store.js';

const track = (name: string, more: Partial<Track> = {}): Track => ({
  name,
  version: 1,
  stage: 'live',
  position: '10',
  wants: '10',
  saved: '10',
  savedAt: -Infinity,
  ...more,
});

const event = (type: string, position: string) => ({ type, position }) as StoredEvent;

/** Collections of which each is concerned by the events of its own name, and whose checkpoints were moved alone. */
function passing(tracks: readonly Track[], options: { readonly shared?: boolean; readonly failing?: string } = {}) {
  const moved: string[] = [];
  const errors: unknown[] = [];
  const log = { end: '10' };
  const of = new Passing({
    applier: {
      touchedBy: (types) => [...types].map((type) => type.toLowerCase()),
      pass(name, position) {
        if (name === options.failing) return Promise.reject(new Error('away'));
        moved.push(`${name} ${position}`);
        return Promise.resolve();
      },
    },
    tracks,
    end: () => log.end,
    shared: options.shared ?? true,
    onError: (error) => errors.push(error),
  });
  const come = (...events: readonly StoredEvent[]) => {
    log.end = events.at(-1)?.position ?? log.end;
    of.came(events);
  };
  return { of, come, moved, errors };
}

describe('what has come', () => {
  test('is passed at once by live collections that it does not concern, and by the others once they have taken it', () => {
    const [sales, customers, behind] = [track('sales'), track('customers'), track('behind', { stage: 'behind' })];
    const { of, come } = passing([sales, customers, behind]);
    come(event('Sales', '11'), event('Sales', '12'), event('Other', '13'));
    expect([sales.position, customers.position, behind.position]).toEqual(['10', '13', '10']);
    sales.position = '11';
    of.letPass();
    expect(sales.position).toBe('11');
    sales.position = '12';
    of.letPass();
    expect(sales.position).toBe('13');
  });

  test('is not wanted anew where it comes again', () => {
    const sales = track('sales');
    const { come } = passing([sales]);
    come(event('Sales', '12'));
    come(event('Sales', '11'));
    expect(sales.wants).toBe('12');
  });
});

describe('a checkpoint goes along with what is written for others', () => {
  const names = (tracks: readonly Track[]) => tracks.map(({ name }) => name);

  test('where its live collection shows everything up to there, and it does not stand there yet', () => {
    const taking = track('taking', { position: '13' });
    const due = track('due', { position: '13' });
    const tracks = [
      taking,
      due,
      track('further', { position: '14' }),
      track('not so far', { position: '12' }),
      track('there', { position: '13', saved: '13' }),
      track('behind', { position: '13', stage: 'behind' }),
      track('stopped', { position: '13', stage: 'stopped' }),
    ];
    const { of } = passing(tracks);
    expect(names(of.along([taking], '13'))).toEqual(['due', 'further']);
    noteSaved(due, '13');
    expect(names(of.along([taking], '13'))).toEqual(['further']);
  });

  test('seldom where nobody looks at it, and always where others do', () => {
    const due = track('due', { position: '13' });
    noteSaved(due, '11');
    expect(names(passing([due], { shared: false }).of.along([], '13'))).toEqual([]);
    expect(names(passing([due], { shared: true }).of.along([], '13'))).toEqual(['due']);
    due.savedAt = performance.now() - 1_001;
    expect(names(passing([due], { shared: false }).of.along([], '13'))).toEqual(['due']);
  });
});

describe('at the end', () => {
  const tracks = [
    track('one', { position: '13' }),
    track('there', { position: '13', saved: '13' }),
    track('behind', { position: '13', stage: 'behind' }),
    track('two', { position: '12' }),
  ];

  test('the checkpoints of live collections are moved to what those show', async () => {
    const { of, moved, errors } = passing(tracks);
    await of.save();
    expect([moved, errors]).toEqual([['one 13', 'two 12'], []]);
  });

  test('a checkpoint that cannot be moved is told of, and keeps the end from nothing', async () => {
    const { of, moved, errors } = passing(tracks, { failing: 'one' });
    await of.save();
    expect([moved, errors]).toEqual([[], [new Error('away')]]);
  });
});
