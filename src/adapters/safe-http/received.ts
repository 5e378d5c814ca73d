import type { Socket } from 'node:net';

/** Enough for the headers and as much of a body as is read, in whatever pieces it comes. */
const MOST_RECEIVED = 262_144;

export class MoreThanAnAnswer extends Error {
  constructor() {
    super('the answer brings more than an answer');
  }
}

/**
 * Ends a connection that brings much more after a request than its answer may hold. A receiver may send without end what belongs to no header
 * and no body, and reading it would keep everybody waiting.
 */
export function limitReceived(socket: Socket): void {
  let written = socket.bytesWritten;
  let seen = socket.bytesRead;
  let seenBefore = seen;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      seenBefore = seen;
    }
    seen = socket.bytesRead;
    if (seen - seenBefore > MOST_RECEIVED) socket.destroy(new MoreThanAnAnswer());
  });
}
