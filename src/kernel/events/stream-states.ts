import type { StoredEvent } from '../../ports/event-store.js';
import type { StreamType } from './decider.js';
import type { DomainEvent, Recorded } from './event.js';
import { momentOf, recordedEvent } from './recorded.js';

interface StreamState<S> {
  readonly storeId: string;
  readonly state: S;
}

/** What all streams of one kind come to, by stream, as the events of a log pass by. */
export class StreamStates<S, E extends DomainEvent> {
  private readonly byStream = new Map<string, StreamState<S>>();

  constructor(private readonly type: StreamType<S, never, E>) {}

  get all(): readonly StreamState<S>[] {
    return [...this.byStream.values()];
  }

  of(stream: string): S {
    return this.byStream.get(stream)?.state ?? this.type.decider.initial;
  }

  /** The event, where it is one of these streams. */
  add(stored: StoredEvent): Recorded<E> | undefined {
    const { category, decider, events } = this.type;
    const { stream } = stored;
    if (!stream.startsWith(`${category}-`)) return undefined;
    const event = recordedEvent(events, stored);
    const state = decider.evolve(this.of(stream), event, momentOf(event));
    this.byStream.set(stream, { storeId: event.meta.storeId ?? '', state });
    return event;
  }
}
