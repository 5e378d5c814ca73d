import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { Document } from 'mongodb';
import type { Frame } from './mongodb-wire.js';
import { answerTo, commandIn, frames, helloAnswer, withDocument } from './mongodb-wire.js';

/** What happens to one command on its way. */
export type Fault =
  | 'drop before it runs'
  | 'drop after it ran'
  | { readonly code: number; readonly ran: boolean }
  /** It ran here, and its writes are not yet with a majority. */
  | { readonly writeConcernError: number };

export interface Command {
  readonly name: string;
  readonly collection: string;
  readonly document: Document;
}

/** What drivers send for themselves. */
const DRIVERS_OWN = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'killCursors', 'buildInfo']);
const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);
/** The codes for which a server tells a driver that it may repeat a write. */
const RETRYABLE = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/**
 * Stands between the service and a MongoDB server: counts commands, lets faults happen to them, and speaks as the primary of a replica set does,
 * which remembers the answers of retryable writes. Between the two everything else passes as it is.
 */
export class MongoProxy {
  /** Commands that came, by name and collection, without those that drivers send for themselves. */
  readonly counts = new Map<string, number>();
  /** Decides what happens to a command, which waits for it. */
  fault: (command: Command) => Fault | undefined | Promise<undefined> = () => undefined;
  private listener: Server | undefined;
  private port = 0;
  private readonly clients = new Set<Socket>();
  private writing: Promise<unknown> = Promise.resolve();
  /** Answers to writes, by session and number. */
  private readonly answered = new Map<string, Promise<Document>>();

  private constructor(
    private readonly target: { readonly host: string; readonly port: number },
    private readonly playsReplicaSet: boolean,
  ) {}

  static async start(url: string, { replicaSet = true } = {}): Promise<MongoProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new MongoProxy({ host: hostname, port: Number(port || 27017) }, replicaSet);
    await proxy.open();
    return proxy;
  }

  /** The same database as at `url`, through this proxy. */
  through(url: string): string {
    const changed = new URL(url);
    changed.host = `127.0.0.1:${String(this.port)}`;
    if (this.playsReplicaSet) changed.searchParams.set('replicaSet', 'rs0');
    return changed.href;
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Takes connections again after an outage. */
  async open(): Promise<void> {
    const listener = createServer((client) => {
      this.serve(client);
    });
    listener.listen(this.port, '127.0.0.1');
    await once(listener, 'listening');
    this.port = (listener.address() as AddressInfo).port;
    this.listener = listener;
  }

  /** An outage: connections break, and none can be made. */
  async close(): Promise<void> {
    const { listener } = this;
    this.listener = undefined;
    for (const client of this.clients) client.destroy();
    if (listener?.listening !== true) return;
    listener.close();
    await once(listener, 'close');
  }

  private serve(client: Socket): void {
    this.clients.add(client);
    const server = connect(this.target);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
    }
    server.on('close', () => client.destroy());
    client.on('close', () => server.end());
    client.on('close', () => this.clients.delete(client));
    const link = new Link(client, server);
    void frames(client, (frame) => {
      void this.pass(link, frame).catch(() => client.destroy());
    });
    void frames(server, (frame) => {
      link.answered(frame);
    });
  }

  private async pass(link: Link, frame: Frame): Promise<void> {
    const command = commandIn(frame);
    if (DRIVERS_OWN.has(command.name)) {
      const answer = await link.ask(frame);
      const isHello = /^(hello|ismaster)$/iu.test(command.name);
      link.give(isHello && this.playsReplicaSet ? helloAnswer(answer, `127.0.0.1:${String(this.port)}`) : answer);
      return;
    }
    const kind = `${command.name} ${command.collection}`;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    const fault = await this.fault(command);
    if (fault === 'drop before it runs') {
      link.drop();
      return;
    }
    if (typeof fault === 'object' && 'code' in fault && !fault.ran) {
      link.give(refusal(frame, fault.code));
      return;
    }
    const answer = await this.run(link, frame, command.document);
    if (fault === 'drop after it ran') {
      link.drop();
      return;
    }
    if (fault === undefined) {
      link.give(answerTo(frame, answer));
      return;
    }
    if ('code' in fault) {
      link.give(refusal(frame, fault.code));
      return;
    }
    const { writeConcernError: code } = fault;
    const late = { code, codeName: `Code${String(code)}`, errmsg: 'not yet with a majority' };
    link.give(answerTo(frame, { ...answer, writeConcernError: late }));
  }

  /** One write after the other: what stands in for the server looks for a document and changes it in two steps. */
  private atomically(link: Link, frame: Frame): Promise<Frame> {
    if (!WRITES.has(commandIn(frame).name)) return link.ask(frame);
    const writing = this.writing.then(() => link.ask(frame));
    this.writing = Promise.race([writing, link.ended]);
    return writing;
  }

  /** Once, however often a retryable write comes. */
  private async run(link: Link, frame: Frame, document: Document): Promise<Document> {
    const { lsid, txnNumber, ...rest } = document as {
      lsid?: { id: { toString(e: 'hex'): string } };
      txnNumber?: { toString(): string };
    };
    const execute = async () => commandIn(await this.atomically(link, withDocument(frame, rest))).document;
    if (lsid === undefined || txnNumber === undefined) return execute();
    const key = `${lsid.id.toString('hex')}/${txnNumber.toString()}`;
    const known = this.answered.get(key);
    if (known) return known;
    const running = execute();
    this.answered.set(key, running);
    return running;
  }
}

/** One client's connection, and the one to the server that belongs to it. */
class Link {
  /** Settles when nothing can come from the server any more. */
  readonly ended: Promise<void>;
  private readonly waiting = new Map<number, (frame: Frame) => void>();

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
  ) {
    this.ended = new Promise((resolve) => server.once('close', resolve));
  }

  /** A client that has gone leaves its command running, as it would on a server: its answer is still heard. */
  ask(frame: Frame): Promise<Frame> {
    return new Promise((resolve) => {
      this.waiting.set(frame.readInt32LE(4), resolve);
      this.server.write(frame);
    });
  }

  answered(frame: Frame): void {
    const request = frame.readInt32LE(8);
    const resolve = this.waiting.get(request);
    this.waiting.delete(request);
    resolve?.(frame);
  }

  give(frame: Frame): void {
    if (!this.client.destroyed) this.client.write(frame);
  }

  drop(): void {
    this.client.resetAndDestroy();
  }
}

const refusal = (request: Frame, code: number): Frame =>
  answerTo(request, {
    ok: 0,
    code,
    codeName: `Code${String(code)}`,
    errmsg: `refused with ${String(code)}`,
    ...(RETRYABLE.has(code) && { errorLabels: ['RetryableWriteError'] }),
  });
