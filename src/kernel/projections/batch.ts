import type { StoredEvent } from '../../ports/event-store.js';
import type { DomainEvent, EventCodec, EventMeta, Recorded } from '../events/event.js';
import type { Projector } from './projector.js';

/** Events on their way into projections; each is parsed once and decoded once per codec, and only when somebody wants it. */
export class DecodedBatch {
  private readonly parsed: ({ readonly data: unknown; readonly meta: EventMeta } | undefined)[] = [];
  private readonly metas: (EventMeta | undefined)[] = [];
  private readonly decoded = new Map<EventCodec<DomainEvent>, (Recorded<DomainEvent> | undefined)[]>();

  constructor(readonly events: readonly StoredEvent[]) {}

  /** Throws when the event cannot be read. */
  decode(index: number, projector: Projector): Recorded<DomainEvent> {
    const stored = this.events[index];
    if (!stored) throw new RangeError(`the batch has no event ${index}`);
    const codec = projector.codecs.find(({ definitions }) => definitions.has(stored.type));
    if (!codec) throw new Error(`the projector of ${projector.collection.name} has no codec for ${stored.type}`);
    let known = this.decoded.get(codec);
    if (!known) this.decoded.set(codec, (known = []));
    return (known[index] ??= this.decodeWith(codec, stored, index));
  }

  /** What is recorded beside the data of an event. */
  meta(index: number): EventMeta {
    const stored = this.events[index];
    if (!stored) throw new RangeError(`the batch has no event ${index}`);
    return this.parsed[index]?.meta ?? (this.metas[index] ??= JSON.parse(stored.meta) as EventMeta);
  }

  private decodeWith(codec: EventCodec<DomainEvent>, stored: StoredEvent, index: number): Recorded<DomainEvent> {
    const { data, meta } = (this.parsed[index] ??= {
      data: JSON.parse(stored.data) as unknown,
      meta: this.metas[index] ?? (JSON.parse(stored.meta) as EventMeta),
    });
    const { id, stream, revision, position } = stored;
    const event = codec.decode(stored.type, meta.schemaVersion, data);
    return { type: event.type, data: event.data, id, stream, revision, position, meta };
  }
}
