import { types } from 'node:util';
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoNetworkError,
  MongoRuntimeError,
  MongoServerError,
  MongoWriteConcernError,
} from 'mongodb';
import { StoreUnavailable } from '../../ports/event-store.js';

/** What went wrong with a call: something of its own, or of a server that may be asked again. */

export const DUPLICATE_KEY = 11000;
/**
 * What is wrong with a document or a request and stays wrong when it is sent again: values, names, sizes and limits of it, duplicates, indexes and
 * collections that are there or not, commands and operators that the server does not know. Whatever else a server says is of its own state.
 */
const OF_THE_REQUEST = new Set([
  2, 9, 14, 15, 20, 22, 26, 28, 40, 48, 52, 53, 54, 55, 56, 57, 59, 66, 67, 68, 72, 73, 85, 86, 121, 146, 166, 168, 197,
  238, 292, 10334, 11000, 11001, 12582, 16410, 17280, 17419, 17420, 40324, 40353, 40414, 40415,
]);

/** Unauthorized, authentication failed, and what the hosted server says instead. */
const REFUSED_CODES: ReadonlySet<unknown> = new Set([13, 18, 8000]);
const REFUSED = 'wrong setting: MONGODB_URL: MongoDB does not accept its user name and password';

/** No server was found to send the call to, no connection came free in time, or its client gave way to a new one (the driver keeps some classes to itself). */
const UNSENT = new Set([
  'MongoServerSelectionError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongoExpiredSessionError',
]);

/** A socket that breaks while it is written to reaches us as it is. */
const BROKEN_SOCKET = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** Nobody waits for the call any more. */
export class TooLate extends Error {}

/** Asking for the servers of a name (`mongodb+srv`), which nobody knows, or not now. */
const UNRESOLVED = new Set(['querySrv', 'queryTxt']);

const LOST = [TooLate, MongoNetworkError, MongoClientClosedError, MongoRuntimeError];

/** What is known of a call that failed. */
interface Progress {
  readonly writes: boolean;
  readonly started: boolean;
}

/** The error as the ports know it. */
export function translated(error: unknown, progress: Progress): unknown {
  // A bulk write wraps whatever else went wrong with it.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error) {
    return translated(error.errorResponse, progress);
  }
  if (!types.isNativeError(error) || !isAway(error)) return error;
  // A write that has once been sent may have happened whatever became of its last attempt, and one that nobody waits for any more may still be sent.
  const unknown = progress.writes && (progress.started || error instanceof TooLate);
  return new StoreUnavailable(inALine(error), unknown, { cause: error });
}

function inALine(error: Error): string {
  if (error instanceof MongoServerError && REFUSED_CODES.has(error.code)) return REFUSED;
  return isUnreadable(error) ? `wrong setting: MONGODB_URL: ${error.message}` : `MongoDB is away: ${error.message}`;
}

/** Whether the same call may succeed later. */
function isAway(error: Error): boolean {
  if (error instanceof MongoWriteConcernError) return true;
  if (error instanceof MongoBulkWriteError) {
    const failed = [error.writeErrors].flat().map((each): unknown => each.code);
    // Where no write failed by itself, the request failed as a whole.
    const codes = failed.length > 0 ? failed : [error.code];
    return error.result.getWriteConcernError() !== undefined || !codes.every(isOfTheRequest);
  }
  if (error instanceof MongoServerError) return !isOfTheRequest(error.code);
  const { code = '', syscall = '' }: NodeJS.ErrnoException = error;
  const isUnsent = UNSENT.has(error.name) || UNRESOLVED.has(syscall) || isUnreadable(error);
  return isUnsent || BROKEN_SOCKET.has(code) || LOST.some((kind) => error instanceof kind);
}

/** The driver opens no files but those of certificates and keys, which the address names. */
const isUnreadable = ({ syscall, code }: NodeJS.ErrnoException): boolean => syscall === 'open' || code === 'EISDIR';

const isOfTheRequest = (code: unknown): boolean => typeof code === 'number' && OF_THE_REQUEST.has(code);

export const isDuplicate = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** No server is known to the client, as far as it can tell. */
export const isUnreachable = (error: unknown): boolean =>
  types.isNativeError(error) && error.name === 'MongoServerSelectionError';
