import type { StreamType } from '../events/decider.js';
import type { DomainEvent } from '../events/event.js';
import type { Commands } from '../lanes/commands.js';

/**
 * Sends a command until what it brings about holds. What an earlier run of the same request recorded, which is all that the command finds in a
 * repeat, may have been taken back since.
 */
export async function executeUntil<S, C, E extends DomainEvent>(
  context: Commands,
  type: StreamType<S, C, E>,
  command: C,
  { name, holds }: { readonly name: string; readonly holds: (state: S) => boolean },
): Promise<void> {
  for (;;) {
    await context.execute(type, command, { name });
    if (holds(await context.current(type))) return;
  }
}
