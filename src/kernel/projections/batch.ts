import type { Position, StoredEvent } from '../../ports/event-store.js';
import type { DomainEvent, EventCodec, EventMeta, Recorded } from '../events/event.js';
import { metaOf } from '../events/recorded.js';
import type { LogEvent } from './log-event.js';
import type { Projector } from './projector.js';

/** An event on its way into projections: it is parsed and decoded once, and only when somebody wants it. */
export class ReadEvent implements StoredEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
  readonly data: string;
  readonly meta: string;
  private known: EventMeta | undefined;
  private decoded: { readonly by: EventCodec<DomainEvent>; readonly event: Recorded<DomainEvent> } | undefined;

  private constructor({ id, stream, revision, position, type, data, meta }: StoredEvent) {
    this.id = id;
    this.stream = stream;
    this.revision = revision;
    this.position = position;
    this.type = type;
    this.data = data;
    this.meta = meta;
  }

  static of(stored: StoredEvent): ReadEvent {
    return stored instanceof ReadEvent ? stored : new ReadEvent(stored);
  }

  /** What is recorded beside the data. */
  get recorded(): EventMeta {
    return (this.known ??= metaOf(this));
  }

  /** Throws when it cannot be read. */
  with(codec: EventCodec<DomainEvent>): Recorded<DomainEvent> {
    if (this.decoded?.by !== codec) this.decoded = { by: codec, event: this.decode(codec) };
    return this.decoded.event;
  }

  private decode(codec: EventCodec<DomainEvent>): Recorded<DomainEvent> {
    const { id, stream, revision, position, recorded: meta } = this;
    const event = codec.decode(this.type, meta.schemaVersion, JSON.parse(this.data));
    return { type: event.type, data: event.data, id, stream, revision, position, meta };
  }
}

/** Some events of a batch that follow one another, by their places; `end` is excluded. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

/** Events that are projected together. */
export class DecodedBatch {
  readonly events: readonly ReadEvent[];

  constructor(events: readonly StoredEvent[]) {
    this.events = events.map((event) => ReadEvent.of(event));
  }

  /** Throws when the event cannot be read. */
  decode(index: number, projector: Projector): Recorded<DomainEvent> {
    const event = this.at(index);
    const codec = projector.codecs.find(({ definitions }) => definitions.has(event.type));
    if (!codec) throw new Error(`the projector of ${projector.collection.name} has no codec for ${event.type}`);
    return event.with(codec);
  }

  logEvent(index: number): LogEvent {
    const stored = this.at(index);
    return { stored, meta: stored.recorded, read: (codec) => stored.with(codec) };
  }

  private at(index: number): ReadEvent {
    const event = this.events[index];
    if (!event) throw new RangeError(`the batch has no event ${index}`);
    return event;
  }
}
