import { describe, expect, test } from '@jest/globals';
import { foldName, username } from '../../../src/features/auth/accounts/names.js';
import type { ReservationCommand } from '../../../src/kernel/patterns/reservation.js';
import { NAME_HELD } from '../../../src/kernel/patterns/reservation.js';
import { given } from '../../support/given.js';

const hold = (ownerId: string, claimId: string, instead?: string): ReservationCommand => ({
  type: 'hold',
  ownerId,
  claimId,
  ...(instead === undefined ? {} : { instead }),
});
const held = (ownerId: string, claimId: string) => ({ type: 'NameHeld' as const, data: { ownerId, claimId } });
const released = (ownerId: string) => ({ type: 'NameReleased' as const, data: { ownerId } });

describe('a name', () => {
  test('is held when it is free', () => {
    given(username).when(hold('maria', 'c1')).then(held('maria', 'c1'));
    given(username, held('joao', 'c0'), released('joao')).when(hold('maria', 'c1')).then(held('maria', 'c1'));
  });
  test('is held once by one claim', () => {
    given(username, held('maria', 'c1')).when(hold('maria', 'c1')).thenNothing();
  });
  test('is claimed anew by its owner', () => {
    given(username, held('maria', 'c1')).when(hold('maria', 'c2')).then(held('maria', 'c2'));
  });
  test('is not given to another', () => {
    given(username, held('maria', 'c1')).when(hold('joao', 'c2')).thenRefused(NAME_HELD);
  });
  test('is given to another in place of a dead claim, and of that alone', () => {
    given(username, held('maria', 'c1'))
      .when(hold('joao', 'c2', 'c1'))
      .then(held('joao', 'c2'));
    given(username, held('maria', 'c1'), held('maria', 'c3'))
      .when(hold('joao', 'c2', 'c1'))
      .thenRefused(NAME_HELD);
  });
  test('is released by the claim that holds it', () => {
    given(username, held('maria', 'c1')).when({ type: 'release', claimId: 'c1' }).then(released('maria'));
    given(username, held('maria', 'c2')).when({ type: 'release', claimId: 'c1' }).thenNothing();
    given(username).when({ type: 'release', claimId: 'c1' }).thenNothing();
  });
  test('is the same in any case', () => {
    expect(foldName('Maria.SOUZA@Padaria.example')).toBe('maria.souza@padaria.example');
  });
});
