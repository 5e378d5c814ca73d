import type { NewEvent, Position } from '../../../ports/event-store.js';
import { NO_STREAM, START } from '../../../ports/event-store.js';
import { toLogPosition } from '../positions.js';
import { Message } from './protobuf.js';

/** The requests of the server's streams service; the numbers are those of its `streams.proto`. */

export type Direction = 'forward' | 'backward';

/** The server gives up an append that it could not carry out within so many seconds. */
const APPEND_SECONDS = 10;

const identifier = (stream: string): Message => new Message().text(3, stream);
const textId = (id: string): Message => new Message().text(2, id);
const property = (key: string, value: string): Message => new Message().text(1, key).text(2, value);

interface AppendRequest {
  /** Comes back with the answer. */
  readonly correlationId: string;
  readonly stream: string;
  readonly expectedRevision: number;
  readonly events: readonly NewEvent[];
  readonly now: number;
}

/** The texts of the events go as they are. */
export function appendRequest({ correlationId, stream, expectedRevision, events, now }: AppendRequest): Buffer {
  const options = new Message().message(1, identifier(stream));
  if (expectedRevision === NO_STREAM) options.mark(3);
  else options.number(2, expectedRevision);
  // Old servers know only a time of their own clock, which may differ from ours; the others obey what comes last.
  options.message(6, new Message().number(1, Math.floor(now / 1_000) + APPEND_SECONDS));
  options.message(7, new Message().number(1, APPEND_SECONDS));
  const request = new Message().message(1, textId(correlationId)).message(2, options);
  for (const { id, type, data, meta } of events) {
    const proposed = new Message()
      .message(1, textId(id))
      .message(2, property('type', type))
      .message(2, property('content-type', 'application/json'))
      .text(3, meta)
      .text(4, data);
    request.message(3, proposed);
  }
  return request.number(4, 1).toBuffer();
}

const BACKWARDS = 1;

/** Events come with ids as text, and links are not followed. */
function readRequest(options: Message, direction: Direction): Buffer {
  if (direction === 'backward') options.number(3, BACKWARDS);
  return new Message().message(1, options.message(9, new Message().mark(2))).toBuffer();
}

export function streamRequest(stream: string, from: number | undefined, direction: Direction, count: number): Buffer {
  const place = new Message().message(1, identifier(stream));
  if (from !== undefined) place.number(2, from);
  else place.mark(direction === 'forward' ? 3 : 4);
  return readRequest(new Message().message(1, place).number(5, count).mark(8), direction);
}

function placeInLog(from: Position | undefined, direction: Direction): Message {
  if (from === undefined || from === START) return new Message().mark(direction === 'forward' ? 2 : 3);
  const { commit, prepare } = toLogPosition(from);
  return new Message().message(1, new Message().number(1, commit).number(2, prepare));
}

export const logRequest = (from: Position | undefined, direction: Direction, count: number): Buffer =>
  readRequest(new Message().message(2, placeInLog(from, direction)).number(5, count).mark(8), direction);

/** Everything after a position whose type matches; the server says from time to time how far it has searched. */
export function subscribeRequest(after: Position, types: string): Buffer {
  const filter = new Message().message(2, new Message().text(1, types)).mark(4).number(5, 1);
  const options = new Message().message(2, placeInLog(after, 'forward')).mark(6).message(7, filter);
  return readRequest(options, 'forward');
}
