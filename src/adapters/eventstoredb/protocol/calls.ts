import type { EventStoreDBClient } from '@eventstore/db-client';
import { convertToCommandError, UnavailableError } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ClientError } from '../outage.js';
import { appendAnswer, readAnswer } from './answers.js';

const READ = '/event_store.client.streams.Streams/Read';
const APPEND = '/event_store.client.streams.Streams/BatchAppend';

/** A connection that has not come to be in this time is given up. */
const CONNECTING_PATIENCE = 5_000;
/** As gRPC numbers the states of a channel. */
const CONNECTING = 1;
const READY = 2;

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
  /** Lets go of a connection that broke, if it is still the one of the moment. */
  handleError(client: StreamsClient, error: Error): Promise<void>;
  callArguments(options: { readonly requiresLeader: true }, more: { readonly deadline: number }): CallArguments;
}

/**
 * Calls of the streams service over the library's connection. The library's own calls read each event as JSON and write it as JSON again, take it
 * through Base64, and size each message by writing it once more: that costs more than everything else that happens to an event.
 */
export class Calls {
  private readonly connecting: Connecting;
  private readonly appendCalls = new WeakMap<StreamsClient, AppendCall>();
  private newest: StreamsClient | undefined;
  private readonly awaited = new WeakSet<StreamsClient>();

  constructor(
    private readonly client: EventStoreDBClient,
    private readonly onUnconnected: () => void,
  ) {
    this.connecting = client as unknown as Connecting;
  }

  /** The call that all appends share; `prepare` is told each new one. */
  appending(prepare: (call: AppendCall) => void): Promise<AppendCall> {
    const open = (client: StreamsClient): AppendCall => {
      this.awaitConnection(client);
      const call = startAppending(client, ...this.callArguments());
      prepare(call);
      return call;
    };
    return this.connecting.GRPCStreamCreator(StreamsClient, 'append', open, this.appendCalls)();
  }

  reading(request: Buffer): Promise<ReadCall> {
    const open = (client: StreamsClient): ReadCall => {
      this.awaitConnection(client);
      return startReading(client, request, ...this.callArguments());
    };
    return this.connecting.GRPCStreamCreator(StreamsClient, 'read', open)();
  }

  /** The next call connects anew. */
  async letGo(): Promise<void> {
    if (this.newest) await this.connecting.handleError(this.newest, new UnavailableError());
  }

  close(): Promise<void> {
    return this.client.dispose();
  }

  /** The library waits for a connection until the system gives it up: where packets are lost without a word, a quarter of an hour. */
  private awaitConnection(client: StreamsClient): void {
    this.newest = client;
    const state = (): number => client.getChannel().getConnectivityState(false);
    if (state() === READY || this.awaited.has(client)) return;
    this.awaited.add(client);
    setTimeout(() => {
      this.awaited.delete(client);
      if (state() === CONNECTING) this.onUnconnected();
    }, CONNECTING_PATIENCE).unref();
  }

  private callArguments(): CallArguments {
    return this.connecting.callArguments({ requiresLeader: true }, { deadline: Infinity });
  }
}

/** What broke a call, with the type that the library gives it. */
export const clientError = (error: Error): ClientError => convertToCommandError(error);
