/**
 * A stand-in for an EventStoreDB server, for tests alone. It speaks the gRPC services that `@eventstore/db-client` calls (features, gossip, appends,
 * reads, subscriptions, deletions) with the client's own message definitions, and behaves as was measured on EventStoreDB 23.10: revisions,
 * de-duplication, limits, exclusive starts, checkpoints, errors. Its own test pins that behaviour, point by point.
 *
 * It is not EventStoreDB: one node, everything in memory (optionally copied to a file, without a flush), no access control, projections,
 * persistent subscriptions or clusters, and its timing and speed say nothing about the real server's. Where the two differ the real one is
 * right: the same tests run against a real server when TEST_EVENTSTORE_URL is set.
 */
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Metadata, sendUnaryData } from '@grpc/grpc-js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featureMessages from '@eventstore/db-client/generated/serverfeatures_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipMessages from '@eventstore/db-client/generated/gossip_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendContext, AppendFaults } from './appends.js';
import { batchAppend, softDelete, tombstone, unaryAppend } from './appends.js';
import { EventLog } from './log.js';
import { read } from './reads.js';

export class EventStoreDbStandIn {
  readonly faults: AppendFaults = { dropAfterNextAppend: false };
  /** What was asked, by its kind; all appends of a client share one call. */
  readonly counts = { append: 0, 'stream read': 0, 'log read': 0, subscription: 0 };
  /** What was called, in order. */
  readonly calls: string[] = [];
  /** Calls that a follower, which may be behind, would have answered as well. */
  readonly forFollowers: string[] = [];
  private listener: TcpServer | undefined;
  private readonly sockets = new Set<Socket>();
  /** So many calls wait for an answer because it hangs. */
  held = 0;
  /** With what every read is refused, if it is: 16 for a wrong password, 7 for none. */
  refusal: number | undefined;
  private generation = 0;
  private released: Promise<void> | undefined;
  private release: () => void = () => undefined;

  private constructor(
    readonly log: EventLog,
    private chosenPort: number,
  ) {}

  static async start(log = new EventLog(), port = 0): Promise<EventStoreDbStandIn> {
    const server = new EventStoreDbStandIn(log, port);
    await server.restart();
    return server;
  }

  get port(): number {
    return this.chosenPort;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.chosenPort}?tls=false`;
  }

  /** Listens again on the same port, with the data that it had. */
  async restart(): Promise<void> {
    this.log.restarted();
    const connections = this.services().createConnectionInjector(ServerCredentials.createInsecure());
    const listener = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('error', () => socket.destroy());
      socket.setNoDelay(true);
      connections.injectConnection(socket);
    });
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(this.chosenPort, '127.0.0.1', resolve);
    });
    this.chosenPort = (listener.address() as AddressInfo).port;
    this.listener = listener;
  }

  /** As a killed process leaves its clients: connections reset, port closed. */
  async kill(): Promise<void> {
    const { listener } = this;
    this.listener = undefined;
    if (!listener) return;
    const closed = new Promise((resolve) => listener.close(resolve));
    this.dropConnections();
    await closed;
  }

  dropConnections(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** Takes calls and answers none of them until it is resumed. */
  hang(): void {
    this.released = new Promise((resolve) => {
      this.release = () => {
        this.released = undefined;
        this.held = 0;
        resolve();
      };
    });
  }

  resume(): void {
    this.release();
  }

  /** The subscriptions that are open now get nothing more, and are not told so. */
  silenceSubscriptions(): void {
    this.generation += 1;
  }

  private services(): Server {
    const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
    const ready = async () => {
      if (this.released) this.held += 1;
      await this.released;
    };
    const context: AppendContext = {
      log: this.log,
      faults: this.faults,
      counts: this.counts,
      ready,
      dropConnections: () => {
        this.dropConnections();
      },
    };
    server.addService(
      services.StreamsService,
      this.noting('Streams', {
        batchAppend: batchAppend.bind(undefined, context),
        append: unaryAppend.bind(undefined, context),
        delete: softDelete.bind(undefined, context),
        tombstone: tombstone.bind(undefined, context),
        read: (call: Parameters<typeof read>[1]) =>
          void read(
            {
              log: this.log,
              ready,
              counts: this.counts,
              refusal: () => this.refusal,
              generation: () => this.generation,
            },
            call,
          ),
      }),
    );
    server.addService(
      features.ServerFeaturesService,
      this.noting('ServerFeatures', { getSupportedMethods: answering(ready, supportedMethods) }),
    );
    server.addService(gossip.GossipService, this.noting('Gossip', { read: answering(ready, () => this.members()) }));
    return server;
  }

  private noting<M extends Record<string, (...call: never[]) => void>>(service: string, methods: M): M {
    const noted = Object.entries(methods).map(([name, method]) => [
      name,
      (...call: never[]) => {
        this.calls.push(`${service}/${name}`);
        const [{ metadata }] = call as unknown as readonly [{ readonly metadata: Metadata }];
        const isForLeader = metadata.get('requires-leader').includes('true');
        if (service === 'Streams' && !isForLeader) this.forFollowers.push(name);
        method(...call);
      },
    ]);
    return Object.fromEntries(noted) as M;
  }

  private members(): gossipMessages.ClusterInfo {
    const endPoint = new gossipMessages.EndPoint();
    endPoint.setAddress('127.0.0.1');
    endPoint.setPort(this.chosenPort);
    const member = new gossipMessages.MemberInfo();
    member.setState(gossipMessages.MemberInfo.VNodeState.LEADER);
    member.setIsAlive(true);
    member.setHttpEndPoint(endPoint);
    const info = new gossipMessages.ClusterInfo();
    info.addMembers(member);
    return info;
  }
}

function answering<T>(ready: () => Promise<void>, make: () => T) {
  return (_call: unknown, answer: sendUnaryData<T>): void => {
    void ready().then(() => {
      answer(null, make());
    });
  };
}

function supportedMethods(): featureMessages.SupportedMethods {
  const method = new featureMessages.SupportedMethod();
  method.setServiceName('event_store.client.streams.streams');
  method.setMethodName('batchappend');
  const supported = new featureMessages.SupportedMethods();
  supported.setEventStoreServerVersion('23.10.0');
  supported.addMethods(method);
  return supported;
}
