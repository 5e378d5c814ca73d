import type { z } from 'zod';
import { compiled } from './decoding.js';

/** An event as a decider makes it: a past fact. */
export interface DomainEvent {
  readonly type: string;
  readonly data: unknown;
}

export interface Actor {
  readonly kind: 'user' | 'apiKey' | 'system';
  readonly id: string;
  readonly name: string;
}

/** What is stored beside the data of every event. `hash` chains it to the event before it in its stream. */
export interface EventMeta {
  readonly schemaVersion: number;
  readonly storeId: string | null;
  readonly actor: Actor;
  readonly requestId: string;
  /** The place in a trace (W3C) from which the request came, where it named one. */
  readonly traceparent?: string;
  /** The command that caused it; all events of one command share it. */
  readonly causationId: string;
  readonly at: string;
  /** Present when the command came with an idempotency key, and may so be repeated. */
  readonly keyed?: true;
  readonly hash: string;
}

/** An event as it was recorded. */
export type Recorded<E extends DomainEvent> = E & {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly meta: EventMeta;
};

/** The type, version and schema of one kind of event; the schema guards what is read back. */
export interface EventDefinition<T extends string = string, S extends z.ZodType = z.ZodType> {
  readonly type: T;
  readonly version: number;
  readonly schema: S;
  /** From an older version to the next: `{ 1: (data) => dataOfVersion2 }`. */
  readonly upcasts: Readonly<Record<number, (data: unknown) => unknown>>;
}

export type EventOf<Definition> =
  Definition extends EventDefinition<infer T, infer S> ? { readonly type: T; readonly data: z.output<S> } : never;

export function defineEvent<T extends string, S extends z.ZodType>(
  type: T,
  version: number,
  schema: S,
  upcasts: Readonly<Record<number, (data: unknown) => unknown>> = {},
): EventDefinition<T, S> {
  for (let old = 1; old < version; old++) {
    if (!upcasts[old]) throw new Error(`${type} has no upcaster from version ${old}`);
  }
  return { type, version, schema, upcasts };
}

/** Turns stored JSON into typed events and the reverse. */
export interface EventCodec<E extends DomainEvent> {
  readonly definitions: ReadonlyMap<string, EventDefinition>;
  decode(type: string, schemaVersion: number, data: unknown): E;
  versionOf(type: string): number;
}

export class UnknownEvent extends Error {}

export function eventCodec<const Definitions extends readonly EventDefinition[]>(
  ...list: Definitions
): EventCodec<EventOf<Definitions[number]>> {
  const definitions = new Map<string, EventDefinition>(list.map((definition) => [definition.type, definition]));
  const find = (type: string): EventDefinition => {
    const definition = definitions.get(type);
    if (!definition) throw new UnknownEvent(`unknown event ${type}`);
    return definition;
  };
  // Made when they are first needed: a start has no use for most of them.
  const decoders = new Map<string, (data: unknown) => unknown>();
  const decoderOf = ({ type, schema }: EventDefinition) => {
    let decoder = decoders.get(type);
    if (!decoder) decoders.set(type, (decoder = compiled(schema)));
    return decoder;
  };
  return {
    definitions,
    decode(type, schemaVersion, data) {
      const definition = find(type);
      if (!Number.isInteger(schemaVersion) || schemaVersion < 1) {
        throw new UnknownEvent(`${type} has no version ${schemaVersion}`);
      }
      if (schemaVersion > definition.version) {
        throw new UnknownEvent(`${type} version ${schemaVersion} is newer than this program`);
      }
      let current = data;
      for (let version = schemaVersion; version < definition.version; version++) {
        current = definition.upcasts[version]?.(current);
      }
      return { type, data: decoderOf(definition)(current) } as EventOf<Definitions[number]>;
    },
    versionOf: (type) => find(type).version,
  };
}
