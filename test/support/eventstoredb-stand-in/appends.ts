import type { sendUnaryData, ServerDuplexStream, ServerReadableStream, ServerUnaryCall } from '@grpc/grpc-js';
import { Metadata, status } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendOutcome, EventLog, Expected, ProposedEvent } from './log.js';
import { batchAnswer, proposedEvent, streamNameOf } from './messages.js';

/** What a test may order for the appends to come. */
export interface AppendFaults {
  /** The next append is stored, and every connection dropped before its answer. */
  dropAfterNextAppend: boolean;
}

export interface AppendContext {
  readonly log: EventLog;
  readonly faults: AppendFaults;
  readonly counts: { append: number };
  /** Never resolves while the server hangs. */
  ready(): Promise<void>;
  dropConnections(): void;
}

interface OpenBatch {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: ProposedEvent[];
}

/** The long-lived stream of batches that all appends of a client share. */
export function batchAppend(
  context: AppendContext,
  call: ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>,
): void {
  const open = new Map<string, OpenBatch>();
  call.on('error', () => {
    open.clear();
  });
  call.on('end', () => {
    call.end();
  });
  call.on('data', (request: streams.BatchAppendReq) => {
    const id = request.getCorrelationId()?.getString() ?? '';
    const options = request.getOptions();
    const batch = open.get(id) ?? {
      stream: streamNameOf(options?.getStreamIdentifier()),
      expected: expectedOf(options),
      events: [],
    };
    batch.events.push(...request.getProposedMessagesList().map(proposedEvent));
    if (!request.getIsFinal()) {
      open.set(id, batch);
      return;
    }
    open.delete(id);
    void settle(context, batch.stream, batch.expected, batch.events).then((outcome) => {
      if (!outcome || call.cancelled) return;
      const answer = batchAnswer(batch.stream, batch.expected, outcome);
      answer.setCorrelationId(request.getCorrelationId());
      call.write(answer);
    });
  });
}

/** The append that a client with credentials makes. */
export function unaryAppend(
  context: AppendContext,
  call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
  answer: sendUnaryData<streams.AppendResp>,
): void {
  let options: streams.AppendReq.Options | undefined;
  const events: ProposedEvent[] = [];
  call.on('data', (request: streams.AppendReq) => {
    options ??= request.getOptions();
    const message = request.getProposedMessage();
    if (message) events.push(proposedEvent(message));
  });
  call.on('end', () => {
    const stream = streamNameOf(options?.getStreamIdentifier());
    const expected = expectedOf(options);
    void settle(context, stream, expected, events).then((outcome) => {
      if (outcome) answerUnary(stream, expected, outcome, answer);
    });
  });
}

export function softDelete(
  context: AppendContext,
  call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
  answer: sendUnaryData<streams.DeleteResp>,
): void {
  context.log.softDelete(streamNameOf(call.request.getOptions()?.getStreamIdentifier()));
  answer(null, new streams.DeleteResp());
}

export function tombstone(
  context: AppendContext,
  call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
  answer: sendUnaryData<streams.TombstoneResp>,
): void {
  context.log.tombstone(streamNameOf(call.request.getOptions()?.getStreamIdentifier()));
  answer(null, new streams.TombstoneResp());
}

/** Undefined when the connection was dropped in place of an answer. */
async function settle(
  context: AppendContext,
  stream: string,
  expected: Expected,
  events: readonly ProposedEvent[],
): Promise<AppendOutcome | undefined> {
  await context.ready();
  context.counts.append += 1;
  const outcome = context.log.append(stream, expected, events);
  if (!context.faults.dropAfterNextAppend) return outcome;
  context.faults.dropAfterNextAppend = false;
  context.dropConnections();
  return undefined;
}

function answerUnary(
  stream: string,
  expected: Expected,
  outcome: AppendOutcome,
  answer: sendUnaryData<streams.AppendResp>,
): void {
  const response = new streams.AppendResp();
  if (outcome.kind === 'stored' || outcome.kind === 'nothing') {
    const success = new streams.AppendResp.Success();
    success.setCurrentRevision(outcome.kind === 'stored' ? outcome.revision.toString() : '0');
    if (outcome.kind === 'stored') {
      const position = new streams.AppendResp.Position();
      position.setCommitPosition(outcome.position.toString());
      position.setPreparePosition(outcome.position.toString());
      success.setPosition(position);
    }
    response.setSuccess(success);
  } else if (outcome.kind === 'wrong-version') {
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (outcome.actual === 'no_stream') wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(outcome.actual.toString());
    if (typeof expected === 'bigint') wrong.setExpectedRevision(expected.toString());
    else wrong.setExpectedNoStream(new shared.Empty());
    response.setWrongExpectedVersion(wrong);
  } else {
    answer(exception(outcome.kind, stream));
    return;
  }
  answer(null, response);
}

function exception(kind: 'deleted' | 'too-large' | 'malformed', stream: string) {
  const metadata = new Metadata();
  if (kind === 'deleted') metadata.set('exception', 'stream-deleted');
  if (kind === 'too-large') metadata.set('exception', 'maximum-append-size-exceeded');
  metadata.set('stream-name', stream);
  return { code: status.UNKNOWN, details: kind, metadata };
}

function expectedOf(options: streams.BatchAppendReq.Options | streams.AppendReq.Options | undefined): Expected {
  if (!options || options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  return BigInt('getRevision' in options ? options.getRevision() : options.getStreamPosition());
}
