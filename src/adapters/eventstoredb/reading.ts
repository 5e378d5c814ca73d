import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredEvent } from '../../ports/event-store.js';
import type { ReadAnswer } from './protocol/answers.js';
import type { ReadCall } from './protocol/calls.js';
import { clientError } from './protocol/calls.js';

/** The most events of a subscription that are held ready, and so the longest batch: the next one is read while one is being projected. */
const HELD_READY = 500;

/** All that a read gives; undefined where the server knows no such stream. */
export async function collected(opening: Promise<ReadCall>, signal: AbortSignal): Promise<StoredEvent[] | undefined> {
  const call = await opened(opening, signal);
  return new Promise((resolve, reject) => {
    const events: StoredEvent[] = [];
    let found = true;
    const letGo = abandonOn(signal, call, reject);
    call.on('data', (answer: ReadAnswer) => {
      if (answer.kind === 'event') events.push(answer.event);
      else if (answer.kind === 'no stream') found = false;
    });
    call.on('error', (error) => {
      letGo();
      reject(clientError(error));
    });
    call.on('end', () => {
      letGo();
      resolve(found ? events : undefined);
    });
  });
}

/** What a subscription gives, as it comes, in batches of what has arrived; ends only by throwing. */
export async function* followed(
  opening: Promise<ReadCall>,
  signal: AbortSignal,
  onSignOfLife: () => void,
): AsyncGenerator<readonly StoredEvent[], never> {
  const feed = new Feed(await opened(opening, signal), signal, onSignOfLife);
  try {
    for (;;) {
      await feed.something();
      // What came in the same packet is decoded by the next turn.
      await nextTurn();
      yield feed.take();
    }
  } finally {
    feed.close();
  }
}

/** What has arrived and was not taken. */
class Feed {
  private held: StoredEvent[] = [];
  private end: Error | undefined;
  private wake: () => void = () => undefined;
  private readonly letGo: () => void;

  constructor(
    private readonly call: ReadCall,
    signal: AbortSignal,
    onSignOfLife: () => void,
  ) {
    const ended = (error: Error) => {
      this.end ??= error;
      this.wake();
    };
    this.letGo = abandonOn(signal, call, ended);
    call.on('data', (answer: ReadAnswer) => {
      if (answer.kind !== 'event') {
        onSignOfLife();
        return;
      }
      this.held.push(answer.event);
      if (this.held.length >= HELD_READY) call.pause();
      this.wake();
    });
    call.on('error', (error) => {
      ended(clientError(error));
    });
    call.on('end', () => {
      ended(new Error('the subscription ended'));
    });
  }

  async something(): Promise<void> {
    if (this.held.length === 0 && !this.end) await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.held.length === 0 && this.end) throw this.end;
  }

  take(): readonly StoredEvent[] {
    const { held } = this;
    this.held = [];
    this.call.resume();
    return held;
  }

  close(): void {
    this.letGo();
    cancel(this.call);
  }
}

/** The call, unless the signal aborts before there is one. */
function opened(opening: Promise<ReadCall>, signal: AbortSignal): Promise<ReadCall> {
  return new Promise((resolve, reject) => {
    const abandon = () => {
      reject(new Error('given up'));
    };
    if (signal.aborted) abandon();
    else signal.addEventListener('abort', abandon, { once: true });
    opening
      .then((call) => {
        if (signal.aborted) cancel(call);
        resolve(call);
      }, reject)
      .finally(() => {
        signal.removeEventListener('abort', abandon);
      });
  });
}

/** Ends the call when the signal aborts; gives what takes that back. */
function abandonOn(signal: AbortSignal, call: ReadCall, onAbort: (error: Error) => void): () => void {
  const abandon = () => {
    cancel(call);
    onAbort(new Error('given up'));
  };
  if (signal.aborted) abandon();
  else signal.addEventListener('abort', abandon, { once: true });
  return () => {
    signal.removeEventListener('abort', abandon);
  };
}

/** In a turn of its own: cancelled at once, a call can leave the library's connection waiting (grpc-node 1464 and 1652). */
function cancel(call: ReadCall): void {
  call.on('error', () => undefined);
  setImmediate(() => {
    call.cancel();
  });
}
