import type { Socket } from 'node:net';
import type { Document } from 'mongodb';
import { BSON } from 'mongodb';

/** A whole message of MongoDB's wire protocol, header and all. */
export type Frame = Buffer;

const REPLY = 1;
const QUERY = 2004;
const MESSAGE = 2013;
const HEADER = 16;
/** Where the document of a message stands: after the header, the flags and the kind of its section. */
const DOCUMENT = HEADER + 4 + 1;
/** Where the first document of a reply stands: after flags, cursor, start and count. */
const REPLIED = HEADER + 20;

/** Cuts what comes into messages. */
export async function frames(socket: Socket, take: (frame: Frame) => void): Promise<void> {
  let held: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      held = held.length === 0 ? (chunk as Buffer) : Buffer.concat([held, chunk as Buffer]);
      while (held.length >= 4 && held.length >= held.readInt32LE(0)) {
        const length = held.readInt32LE(0);
        take(held.subarray(0, length));
        held = held.subarray(length);
      }
    }
  } catch {
    // A connection that broke has no more messages.
  }
}

const opcodeOf = (frame: Frame): number => frame.readInt32LE(12);

const placeOf = (frame: Frame): number => {
  const opcode = opcodeOf(frame);
  if (opcode === MESSAGE) return DOCUMENT;
  if (opcode === REPLY) return REPLIED;
  if (opcode === QUERY) return frame.indexOf(0, HEADER + 4) + 1 + 8;
  throw new Error(`a message of the unknown kind ${String(opcode)}`);
};

/** Numbers and bytes keep their types, so that what passes on is what came. */
const AS_IT_IS = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true };

export function commandIn(frame: Frame): {
  readonly name: string;
  readonly collection: string;
  readonly document: Document;
} {
  const place = placeOf(frame);
  const bytes = frame.subarray(place, place + frame.readInt32LE(place));
  const document = BSON.deserialize(bytes, AS_IT_IS);
  const [name = '', value] = Object.entries(document)[0] ?? [];
  return { name, collection: typeof value === 'string' ? value : '', document };
}

/** The same message with another document; what follows the document stays. */
export function withDocument(frame: Frame, document: Document): Frame {
  const place = placeOf(frame);
  const rest = frame.subarray(place + frame.readInt32LE(place));
  const changed = Buffer.concat([frame.subarray(0, place), BSON.serialize(document), rest]);
  changed.writeInt32LE(changed.length, 0);
  return changed;
}

export function answerTo(request: Frame, document: Document): Frame {
  const answer = Buffer.concat([Buffer.alloc(DOCUMENT), BSON.serialize(document)]);
  answer.writeInt32LE(answer.length, 0);
  answer.writeInt32LE(request.readInt32LE(4), 8);
  answer.writeInt32LE(MESSAGE, 12);
  return answer;
}

/** What the only member of a replica set says of itself. */
export const helloAnswer = (answer: Frame, host: string): Frame =>
  withDocument(answer, {
    ...commandIn(answer).document,
    setName: 'rs0',
    setVersion: 1,
    hosts: [host],
    me: host,
    primary: host,
    ismaster: true,
    isWritablePrimary: true,
    secondary: false,
    logicalSessionTimeoutMinutes: 30,
  });
