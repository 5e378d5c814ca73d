import type { Socket } from 'node:net';
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** One HTTP/1.1 connection with one request at a time: as little work as a client can do, so that the server is what is measured. */
export class KeepAliveConnection {
  private readonly socket: Socket;
  private received: Buffer = Buffer.alloc(0);
  private waiting: Waiting | undefined;
  private broken: Error | undefined;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk) => {
      this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
      this.settle();
    });
    this.socket.on('error', (error) => {
      this.fail(error);
    });
    this.socket.on('close', () => {
      this.fail(new Error('the server closed the connection'));
    });
  }

  /** Resolves when the whole answer is there. */
  send(request: string): Promise<Answer> {
    if (this.broken) return Promise.reject(this.broken);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private settle(): void {
    const end = this.received.indexOf(HEAD_END);
    if (end < 0 || !this.waiting) return;
    const head = this.received.toString('latin1', 0, end);
    const status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined && status !== 204) {
      this.fail(new Error(`an answer without Content-Length:\n${head}`));
      return;
    }
    const start = end + HEAD_END.length;
    const total = start + Number(length ?? 0);
    if (this.received.length < total) return;
    const body = this.received.subarray(start, total);
    this.received = this.received.subarray(total);
    const { resolve } = this.waiting;
    this.waiting = undefined;
    resolve({ status, body });
  }

  private fail(error: Error): void {
    this.broken ??= error;
    this.waiting?.reject(error);
    this.waiting = undefined;
  }
}
