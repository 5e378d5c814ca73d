import type { EventStore } from '../../src/ports/event-store.js';
import type { MemoryEventStore } from './memory-event-store.js';

/** The log as a process has it that shares it with others, and whose every read of a stream comes after this. */
export const heldReads = (log: MemoryEventStore, before: () => Promise<unknown>): EventStore =>
  Object.assign(Object.create(log) as EventStore, {
    exclusive: false,
    readStream: async (...call: Parameters<EventStore['readStream']>) => {
      await before();
      return log.readStream(...call);
    },
  });
