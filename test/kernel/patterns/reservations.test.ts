import { expect, test } from '@jest/globals';
import type { Commands } from '../../../src/kernel/lanes/commands.js';
import type { Hold, ReservationCommand } from '../../../src/kernel/patterns/reservation.js';
import { reservationEvents, reservationType } from '../../../src/kernel/patterns/reservation.js';
import { isRecent, Reservations } from '../../../src/kernel/patterns/reservations.js';

const NOW = '2026-01-02T12:00:00.000Z';
const LONG_AGO = '2026-01-02T11:00:00.000Z';
const type = reservationType('name', reservationEvents('NameHeld', 'NameReleased'));

interface Owner {
  readonly id: string;
}

/** One name in memory, with what its owners say each time they are asked. */
function nameHeldBy(hold: Hold | undefined, answers: readonly (Owner | 'open' | 'ended')[] = []) {
  let state: { readonly hold: Hold | undefined } = { hold };
  const left = [...answers];
  const dropped: string[] = [];
  const commands = {
    at: NOW,
    currentOn: () => Promise.resolve(state),
    executeOn(_type: unknown, _stream: string, command: ReservationCommand) {
      for (const event of type.decider.decide(state, command, NOW)) {
        state = type.decider.evolve(state, event, { at: NOW } as never);
      }
      return Promise.resolve();
    },
  };
  const reservations = new Reservations<Owner>({
    type,
    stream: (_context, name) => name,
    storeId: () => null,
    owner: () => Promise.resolve(left.shift() ?? 'ended'),
    drop(_context, { claimId }) {
      dropped.push(claimId);
      return Promise.resolve();
    },
  });
  return {
    reservations,
    context: commands as unknown as Commands,
    dropped,
    holder: () => state.hold?.ownerId,
  };
}

const theirs = { ownerId: 'them', claimId: 'their claim', heldAt: LONG_AGO };
const mine = { ownerId: 'me', claimId: 'my claim' };

test('what another left behind is taken over, once its confirmation is refused', async () => {
  const { reservations, context, dropped, holder } = nameHeldBy(theirs, ['open', 'ended']);
  expect(await reservations.claim(context, 'name', mine)).toBe('claimed');
  expect([dropped, holder()]).toEqual([['their claim'], 'me']);
});

test('who confirmed its name in the last moment keeps it', async () => {
  const { reservations, context, holder } = nameHeldBy(theirs, ['open', { id: 'them' }]);
  expect(await reservations.claim(context, 'name', mine)).toEqual({ id: 'them' });
  expect(holder()).toBe('them');
});

test('a name is released by who holds it alone', async () => {
  const { reservations, context, holder } = nameHeldBy(theirs);
  await reservations.release(context, 'name', await reservations.claimOf(context, 'name', 'me'));
  expect(holder()).toBe('them');
  await reservations.release(context, 'name', await reservations.claimOf(context, 'name', 'them'));
  expect(holder()).toBeUndefined();
});

test.each([
  ['a second ago', '2026-01-02T11:59:59.000Z', true],
  ['an hour ago', LONG_AGO, false],
  ['by a clock that is a little ahead', '2026-01-02T12:00:01.000Z', true],
  ['by a clock that was a day ahead', '2026-01-03T12:00:00.000Z', false],
])('whether somebody who took a name %s may still confirm it: %s, %s', (_what, since, recent) => {
  expect(isRecent(since, NOW)).toBe(recent);
});
