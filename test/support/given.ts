import { expect } from '@jest/globals';
import type { StreamType } from '../../src/kernel/events/decider.js';
import { fold } from './fold.js';
import type { DomainEvent } from '../../src/kernel/events/event.js';
import type { RejectionKind } from '../../src/kernel/events/rejection.js';
import { Rejection } from '../../src/kernel/events/rejection.js';

export const NOON = '2026-11-21T12:00:00.000Z';
/** Who did something, where nobody asks. */
export const NOBODY = { kind: 'system', id: '', name: '' } as const;

/** given(stream, …events).when(command).then(…events): the test of a rule reads as a sentence. */
export function given<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, ...history: readonly E[]) {
  const decide = (command: C, at: string): readonly E[] =>
    type.decider.decide(fold(type.decider, history), command, at);
  return {
    when: (command: C, at = NOON) => ({
      then(...expected: readonly E[]): void {
        const events = decide(command, at);
        expect(events).toEqual(expected);
        for (const event of events) expect(roundTrip(type, event)).toEqual(event);
      },
      thenNothing(): void {
        expect(decide(command, at)).toEqual([]);
      },
      thenRefused(kind: RejectionKind, extra?: Readonly<Record<string, unknown>>): void {
        const refusal = refusalOf(() => decide(command, at));
        expect(refusal.kind).toBe(kind);
        if (extra) expect(refusal.extra).toMatchObject(extra);
      },
    }),
  };
}

/** As it comes back from the log. */
function roundTrip<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, event: E): E {
  const stored = JSON.parse(JSON.stringify(event.data)) as unknown;
  return type.events.decode(event.type, type.events.versionOf(event.type), stored);
}

function refusalOf(run: () => unknown): Rejection {
  try {
    run();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error('the command was accepted');
}
