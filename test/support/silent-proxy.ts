import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** Stands between a client and a server, as a network that loses connections without a word: nothing passes any more, and nobody hears that. */
export class SilentProxy {
  /** Connections that were made in the silence. */
  madeInSilence = 0;
  private isSilent = false;
  private readonly sockets = new Set<Socket>();
  private readonly listener = createServer((client) => {
    this.serve(client);
  });

  private constructor(private readonly target: URL) {}

  static async start(url: string): Promise<SilentProxy> {
    const proxy = new SilentProxy(new URL(url));
    proxy.listener.listen(0, '127.0.0.1');
    await once(proxy.listener, 'listening');
    return proxy;
  }

  /** The same server as at the address that it was started with. */
  get url(): string {
    const url = new URL(this.target);
    url.port = String((this.listener.address() as AddressInfo).port);
    return url.href;
  }

  /** The connections that there are, and those that are made until it is over, stay silent for ever. */
  begin(): void {
    this.isSilent = true;
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Those that are made from now on work. */
  end(): void {
    this.isSilent = false;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.listener.close();
    await once(this.listener, 'close');
  }

  private serve(client: Socket): void {
    this.keep(client);
    if (this.isSilent) {
      this.madeInSilence += 1;
      client.pause();
      return;
    }
    const server = connect({ host: this.target.hostname, port: Number(this.target.port) });
    this.keep(server);
    client.pipe(server).pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
  }
}
