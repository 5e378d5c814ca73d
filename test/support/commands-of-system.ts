import type { StreamType } from '../../src/kernel/events/decider.js';
import type { DomainEvent } from '../../src/kernel/events/event.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';
import type { World } from './world.js';

/** Gives commands to a stream of a store without a request, each under a name of its own. */
export const commandsOfSystem =
  <S, C, E extends DomainEvent>({ service }: World, type: StreamType<S, C, E>, storeId: string) =>
  (command: C, name: string) =>
    service.core.lanes.execute(type, `${type.category}-${storeId}`, command, {
      commandId: name,
      storeId,
      actor: SYSTEM,
      requestId: 'system',
      at: new Date().toISOString(),
    });
