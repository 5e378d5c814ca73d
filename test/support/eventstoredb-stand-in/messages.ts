import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { AppendOutcome, Expected, LogRecord, ProposedEvent } from './log.js';
import { MAX_APPEND_BYTES } from './log.js';

type Proposed = streams.BatchAppendReq.ProposedMessage | streams.AppendReq.ProposedMessage;

export function proposedEvent(message: Proposed): ProposedEvent {
  const properties = message.getMetadataMap();
  return {
    id: message.getId()?.getString().toLowerCase() ?? '',
    type: properties.get('type') ?? '',
    contentType: properties.get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

function streamIdentifier(stream: string): shared.StreamIdentifier {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  return identifier;
}

export function streamNameOf(identifier: shared.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();
}

export function readEvent(record: LogRecord): streams.ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  const id = new shared.UUID();
  id.setString(record.id);
  recorded.setId(id);
  recorded.setStreamIdentifier(streamIdentifier(record.stream));
  recorded.setStreamRevision(record.revision.toString());
  recorded.setCommitPosition(record.position.toString());
  recorded.setPreparePosition(record.position.toString());
  recorded.setData(record.data);
  recorded.setCustomMetadata(record.metadata);
  recorded
    .getMetadataMap()
    .set('type', record.type)
    .set('content-type', record.contentType)
    .set('created', record.created.toString());
  const event = new streams.ReadResp.ReadEvent();
  event.setEvent(recorded);
  event.setCommitPosition(record.position.toString());
  const response = new streams.ReadResp();
  response.setEvent(event);
  return response;
}

export function streamNotFound(stream: string): streams.ReadResp {
  const missing = new streams.ReadResp.StreamNotFound();
  missing.setStreamIdentifier(streamIdentifier(stream));
  const response = new streams.ReadResp();
  response.setStreamNotFound(missing);
  return response;
}

export function confirmation(): streams.ReadResp {
  const confirmed = new streams.ReadResp.SubscriptionConfirmation();
  confirmed.setSubscriptionId(crypto.randomUUID());
  const response = new streams.ReadResp();
  response.setConfirmation(confirmed);
  return response;
}

export function caughtUp(): streams.ReadResp {
  const response = new streams.ReadResp();
  response.setCaughtUp(new streams.ReadResp.CaughtUp());
  return response;
}

export function filterCheckpoint(position: bigint): streams.ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(position.toString());
  checkpoint.setPreparePosition(position.toString());
  const response = new streams.ReadResp();
  response.setCheckpoint(checkpoint);
  return response;
}

/** The answer of a batch append but for its correlation id. */
export function batchAnswer(stream: string, expected: Expected, outcome: AppendOutcome): streams.BatchAppendResp {
  const response = new streams.BatchAppendResp();
  response.setStreamIdentifier(streamIdentifier(stream));
  if (outcome.kind !== 'stored' && outcome.kind !== 'nothing') {
    response.setError(errorStatus(stream, expected, outcome));
    return response;
  }
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision(outcome.kind === 'stored' ? outcome.revision.toString() : '0');
  if (outcome.kind === 'stored') {
    const position = new shared.AllStreamPosition();
    position.setCommitPosition(outcome.position.toString());
    position.setPreparePosition(outcome.position.toString());
    success.setPosition(position);
  } else success.setNoPosition(new empty.Empty());
  response.setSuccess(success);
  return response;
}

function errorStatus(
  stream: string,
  expected: Expected,
  outcome: Exclude<AppendOutcome, { kind: 'stored' | 'nothing' }>,
): status.Status {
  const details = new any.Any();
  const pack = (message: { serializeBinary(): Uint8Array }, name: string) => {
    details.pack(message.serializeBinary(), `event_store.client.${name}`);
  };
  if (outcome.kind === 'wrong-version') pack(wrongVersion(expected, outcome.actual), 'WrongExpectedVersion');
  else if (outcome.kind === 'deleted') {
    const deleted = new shared.StreamDeleted();
    deleted.setStreamIdentifier(streamIdentifier(stream));
    pack(deleted, 'StreamDeleted');
  } else if (outcome.kind === 'too-large') {
    const exceeded = new shared.MaximumAppendSizeExceeded();
    exceeded.setMaxappendsize(MAX_APPEND_BYTES);
    pack(exceeded, 'MaximumAppendSizeExceeded');
  } else pack(new shared.Unknown(), 'Unknown');
  const error = new status.Status();
  error.setDetails(details);
  return error;
}

function wrongVersion(expected: Expected, actual: bigint | 'no_stream'): shared.WrongExpectedVersion {
  const wrong = new shared.WrongExpectedVersion();
  if (actual === 'no_stream') wrong.setCurrentNoStream(new empty.Empty());
  else wrong.setCurrentStreamRevision(actual.toString());
  if (expected === 'no_stream') wrong.setExpectedNoStream(new empty.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new empty.Empty());
  else if (expected === 'any') wrong.setExpectedAny(new empty.Empty());
  else wrong.setExpectedStreamPosition(expected.toString());
  return wrong;
}
