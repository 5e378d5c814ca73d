import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** More than any client sends ahead of its answers. */
const MOST_AHEAD = 32;

/** What one connection asks: the next thing begins when the one before is answered. */
class Line {
  private busy = false;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly socket: Socket) {}

  take(response: ServerResponse, work: () => void): void {
    response.on('close', this.goOn);
    if (!this.busy) {
      this.busy = true;
      work();
    } else if (this.waiting.length < MOST_AHEAD) this.waiting.push(work);
    else this.socket.destroy();
  }

  private readonly goOn = (): void => {
    const next = this.socket.writable ? this.waiting.shift() : undefined;
    if (next) next();
    else this.busy = false;
  };
}

/**
 * Node hands on what a client sends ahead of its answers at once: thousands of requests in one piece, whose answers would lie in memory while it
 * takes none of them, and keep all others waiting. Here each connection has one request under way. Who sends on and on is cut off, and what
 * waits when a client goes is not begun.
 */
export function inTurn(app: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  return (request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) => {
    const { socket } = request;
    if (socket.destroyed) return;
    let line = lines.get(socket);
    if (!line) lines.set(socket, (line = new Line(socket)));
    line.take(response, () => {
      app(request, response);
    });
  };
}
