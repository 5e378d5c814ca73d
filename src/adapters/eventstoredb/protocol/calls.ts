import type { EventStoreDBClient } from '@eventstore/db-client';
import { convertToCommandError } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ClientError } from '../outage.js';
import { appendAnswer, readAnswer } from './answers.js';

const READ = '/event_store.client.streams.Streams/Read';
const APPEND = '/event_store.client.streams.Streams/BatchAppend';

const asItIs = (bytes: Buffer): Buffer => bytes;

/** Metadata and options. */
type CallArguments = Required<Parameters<StreamsClient['batchAppend']>>;

const startAppending = (client: StreamsClient, ...common: CallArguments) =>
  client.makeBidiStreamRequest(APPEND, asItIs, appendAnswer, ...common);
export type AppendCall = ReturnType<typeof startAppending>;

const startReading = (client: StreamsClient, request: Buffer, ...common: CallArguments) =>
  client.makeServerStreamRequest(READ, asItIs, readAnswer, request, ...common);
export type ReadCall = ReturnType<typeof startReading>;

/** What the library keeps for its own calls: it finds the server or its cluster's leader, connects, and connects again when a call breaks. */
interface Connecting {
  GRPCStreamCreator<T>(
    client: typeof StreamsClient,
    name: string,
    creator: (client: StreamsClient) => T,
    cache?: WeakMap<StreamsClient, T>,
  ): () => Promise<T>;
  callArguments(options: { readonly requiresLeader: true }, more: { readonly deadline: number }): CallArguments;
}

/**
 * Calls of the streams service over the library's connection. The library's own calls read each event as JSON and write it as JSON again, take it
 * through Base64, and size each message by writing it once more: that costs more than everything else that happens to an event.
 */
export class Calls {
  private readonly connecting: Connecting;
  private readonly appendCalls = new WeakMap<StreamsClient, AppendCall>();

  constructor(private readonly client: EventStoreDBClient) {
    this.connecting = client as unknown as Connecting;
  }

  /** The call that all appends share; `prepare` is told each new one. */
  appending(prepare: (call: AppendCall) => void): Promise<AppendCall> {
    const open = (client: StreamsClient): AppendCall => {
      const call = startAppending(client, ...this.callArguments());
      prepare(call);
      return call;
    };
    return this.connecting.GRPCStreamCreator(StreamsClient, 'append', open, this.appendCalls)();
  }

  reading(request: Buffer): Promise<ReadCall> {
    const open = (client: StreamsClient): ReadCall => startReading(client, request, ...this.callArguments());
    return this.connecting.GRPCStreamCreator(StreamsClient, 'read', open)();
  }

  close(): Promise<void> {
    return this.client.dispose();
  }

  private callArguments(): CallArguments {
    return this.connecting.callArguments({ requiresLeader: true }, { deadline: Infinity });
  }
}

/** What broke a call, with the type that the library gives it. */
export const clientError = (error: Error): ClientError => convertToCommandError(error);
