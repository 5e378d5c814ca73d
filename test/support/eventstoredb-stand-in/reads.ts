import type { ServerWritableStream } from '@grpc/grpc-js';
import { Metadata, status } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventLog, LogRecord } from './log.js';
import { caughtUp, confirmation, filterCheckpoint, readEvent, streamNameOf, streamNotFound } from './messages.js';

type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;
type Options = streams.ReadReq.Options;

/** How many scanned events a filter checkpoint comes after. */
const CHECKPOINT_EVERY = 32;

class Refused extends Error {
  constructor(
    readonly code: status,
    message: string,
    readonly metadata = new Metadata(),
  ) {
    super(message);
  }
}

interface ReadContext {
  readonly log: EventLog;
  /** Never resolves while the server hangs. */
  ready(): Promise<void>;
  readonly counts: Record<'stream read' | 'log read' | 'subscription', number>;
  /** With what every read is refused, if it is. */
  refusal(): status | undefined;
  /** A subscription of an older generation is silent. */
  generation(): number;
}

/** `Streams/Read`: reads of a stream and of everything, and both kinds of subscription. */
export async function read(context: ReadContext, call: ReadCall): Promise<void> {
  await context.ready();
  const options = call.request.getOptions() ?? new streams.ReadReq.Options();
  const kind = options.hasStream() ? 'stream read' : 'log read';
  context.counts[options.hasSubscription() ? 'subscription' : kind] += 1;
  try {
    const refusal = context.refusal();
    if (refusal !== undefined) throw new Refused(refusal, 'refused');
    if (options.hasSubscription()) await subscription(context, call, options);
    else {
      for (const response of answerOf(context.log, options)) await send(call, response);
      call.end();
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    call.emit('error', { code: error.code, details: error.message, metadata: error.metadata });
  }
}

function* answerOf(log: EventLog, options: Options): Iterable<streams.ReadResp> {
  const count = Number(options.getCount());
  if (count < 1) throw new Refused(status.INVALID_ARGUMENT, 'maxCount must be positive');
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  const scope = options.hasAll() ? scopeOfAll(log, options, backwards) : scopeOfStream(log, options, backwards);
  if (!scope) {
    yield streamNotFound(streamNameOf(options.getStream()?.getStreamIdentifier()));
    return;
  }
  const step = backwards ? -1 : 1;
  let index = scope.start;
  for (let sent = 0; sent < count && index >= scope.from; index += step) {
    const record = scope.records[index];
    if (!record) return;
    if (!log.isThere(record)) continue;
    yield readEvent(record);
    sent += 1;
  }
}

interface Scope {
  readonly records: readonly LogRecord[];
  /** The first index that is visible. */
  readonly from: number;
  readonly start: number;
}

function scopeOfAll(log: EventLog, options: Options, backwards: boolean): Scope {
  const all = options.getAll();
  const position = all?.getPosition();
  const { records } = log;
  if (all?.hasEnd()) return { records, from: 0, start: backwards ? records.length - 1 : records.length };
  if (!position) return { records, from: 0, start: 0 };
  const index = indexOfPosition(log, BigInt(position.getCommitPosition()), true);
  return { records, from: 0, start: index };
}

function indexOfPosition(log: EventLog, position: bigint, pastTheEndIsFine: boolean): number {
  const last = log.records.at(-1);
  if (pastTheEndIsFine && (!last || position > last.position)) return log.records.length;
  const index = log.indexOf(position);
  if (index === undefined) throw new Refused(status.UNKNOWN, `${position} is not the position of a record`);
  return index;
}

function scopeOfStream(log: EventLog, options: Options, backwards: boolean): Scope | undefined {
  const asked = options.getStream();
  const name = streamNameOf(asked?.getStreamIdentifier());
  const found = log.read(name);
  if (found === 'missing') return undefined;
  if (found === 'deleted') throw new Refused(status.FAILED_PRECONDITION, 'deleted', deletedMetadata(name));
  const last = found.all.length - 1;
  if (asked?.hasEnd()) return { records: found.all, from: found.from, start: backwards ? last : last + 1 };
  const revision = asked?.hasRevision() ? Number(asked.getRevision()) : 0;
  const start = backwards ? Math.min(revision, last) : Math.max(revision, found.from);
  return { records: found.all, from: found.from, start };
}

function deletedMetadata(stream: string): Metadata {
  const metadata = new Metadata();
  metadata.set('exception', 'stream-deleted');
  metadata.set('stream-name', stream);
  return metadata;
}

/** Confirmation, what is there already, caught up, then what comes; for a filter a checkpoint now and then. */
async function subscription(context: ReadContext, call: ReadCall, options: Options): Promise<void> {
  const { log } = context;
  const generation = context.generation();
  const stream = options.hasStream() ? streamNameOf(options.getStream()?.getStreamIdentifier()) : undefined;
  const wanted = filterOf(options);
  const checkpoints = options.getFilter()?.getCheckpointintervalmultiplier() ?? 0;
  let index = firstIndexOf(log, options);
  let toldCaughtUp = false;
  let sinceCheckpoint = 0;
  await send(call, confirmation());
  while (!call.cancelled && !call.destroyed) {
    const record = log.records[index];
    if (!record) {
      const missing = stream !== undefined && log.read(stream) === 'missing';
      if (!toldCaughtUp && !missing) {
        toldCaughtUp = true;
        await send(call, caughtUp());
      }
      await growth(log, call, index);
      await context.ready();
      if (context.generation() > generation) return;
      continue;
    }
    index += 1;
    if (!log.isThere(record)) continue;
    if (stream === undefined ? wanted(record) : isAfterStart(record, stream, options)) {
      await send(call, readEvent(record));
    }
    sinceCheckpoint += 1;
    if (checkpoints > 0 && sinceCheckpoint >= CHECKPOINT_EVERY * checkpoints) {
      sinceCheckpoint = 0;
      await send(call, filterCheckpoint(record.position));
    }
  }
}

/** The start is exclusive. */
function firstIndexOf(log: EventLog, options: Options): number {
  const all = options.getAll();
  const position = all?.getPosition();
  if (position) return indexOfPosition(log, BigInt(position.getCommitPosition()), false) + 1;
  if (all?.hasEnd() || options.getStream()?.hasEnd()) return log.records.length;
  return 0;
}

function isAfterStart(record: LogRecord, stream: string, options: Options): boolean {
  const asked = options.getStream();
  return record.stream === stream && (!asked?.hasRevision() || record.revision > BigInt(asked.getRevision()));
}

function filterOf(options: Options): (record: LogRecord) => boolean {
  const filter = options.getFilter();
  const expression = filter?.getEventType() ?? filter?.getStreamIdentifier();
  if (!filter || !expression) return () => true;
  const pattern = new RegExp(expression.getRegex());
  const prefixes = expression.getPrefixList();
  const matches = (text: string) =>
    prefixes.length > 0 ? prefixes.some((prefix) => text.startsWith(prefix)) : pattern.test(text);
  return (record) => matches(filter.hasEventType() ? record.type : record.stream);
}

/** Resolves when the log has a record at the index, or the call has ended. */
function growth(log: EventLog, call: ReadCall, index: number): Promise<void> {
  if (log.records.length > index || call.cancelled) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      stopListening();
      call.off('cancelled', done);
      resolve();
    };
    const stopListening = log.onGrowth(done);
    call.on('cancelled', done);
  });
}

/** Resolves when the client has taken enough for more to be sent. */
function send(call: ReadCall, response: streams.ReadResp): Promise<void> | undefined {
  if (call.cancelled || call.write(response)) return undefined;
  return new Promise((resolve) => {
    const done = () => {
      call.off('drain', done);
      call.off('cancelled', done);
      resolve();
    };
    call.on('drain', done);
    call.on('cancelled', done);
  });
}
