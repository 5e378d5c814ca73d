import { randomUUID } from 'node:crypto';
import type { Appended, NewEvent } from '../../ports/event-store.js';
import { HistoryNotWhole, RevisionConflict } from '../../ports/event-store.js';
import type { ClientError } from './outage.js';
import type { AppendAnswer } from './protocol/answers.js';
import type { AppendCall, Calls } from './protocol/calls.js';
import { clientError } from './protocol/calls.js';
import { appendRequest } from './protocol/requests.js';

interface Caller {
  readonly resolve: (answer: AppendAnswer) => void;
  readonly reject: (error: Error) => void;
}
type Waiting = Map<string, Caller>;

/** What the library calls the server's reasons, those that its own way of saying does not give. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['AccessDenied', 'access-denied'],
  ['Timeout', 'deadline-exceeded'],
  ['MaximumAppendSizeExceeded', 'maximum-append-size-exceeded'],
]);

/** Appends over one call that stays open; each answer names the request that it belongs to. */
export class Appends {
  private readonly waiting = new WeakMap<AppendCall, Waiting>();

  constructor(private readonly calls: Calls) {}

  async append(stream: string, expectedRevision: number, events: readonly NewEvent[]): Promise<Appended> {
    const call = await this.calls.appending((opened) => {
      this.listen(opened);
    });
    const correlationId = randomUUID();
    const request = appendRequest({ correlationId, stream, expectedRevision, events, now: Date.now() });
    const { appended, refusal } = await new Promise<AppendAnswer>((resolve, reject) => {
      this.waiting.get(call)?.set(correlationId, { resolve, reject });
      call.write(request, (error: Error | null | undefined) => {
        if (error) reject(asClientError(error, 'unavailable'));
      });
    });
    if (appended) {
      const { revision, position } = appended;
      if (position === undefined) throw new Error(`EventStoreDB stored ${stream} without saying where`);
      return { revision, position };
    }
    if (refusal === 'WrongExpectedVersion') throw new RevisionConflict(stream, expectedRevision);
    if (refusal === 'StreamDeleted') throw new HistoryNotWhole(stream);
    throw asClientError(new Error(`EventStoreDB refused an append to ${stream}: ${refusal}`), TYPES.get(refusal));
  }

  private listen(call: AppendCall): void {
    const waiting: Waiting = new Map();
    this.waiting.set(call, waiting);
    const fail = (error: Error) => {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    call.on('data', (answer: AppendAnswer) => {
      waiting.get(answer.correlationId)?.resolve(answer);
      waiting.delete(answer.correlationId);
    });
    call.on('error', (error) => {
      fail(clientError(error));
    });
    call.on('end', () => {
      call.end();
      fail(asClientError(new Error('EventStoreDB ended the appending'), 'unavailable'));
    });
  }
}

const asClientError = (error: Error, type = 'unknown'): ClientError => Object.assign(error, { type });
