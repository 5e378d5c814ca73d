import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { appendAnswer, readAnswer } from '../../src/adapters/eventstoredb/protocol/answers.js';
import { Fields, Message } from '../../src/adapters/eventstoredb/protocol/protobuf.js';
import {
  appendRequest,
  logRequest,
  streamRequest,
  subscribeRequest,
} from '../../src/adapters/eventstoredb/protocol/requests.js';
import { toPosition } from '../../src/adapters/eventstoredb/positions.js';
import { NO_STREAM, START } from '../../src/ports/event-store.js';
import { filterCheckpoint, readEvent, streamNotFound } from '../support/eventstoredb-stand-in/messages.js';

const ID = '0190f2a4-7b0c-7000-8000-0123456789ab';
const LONGEST = 2n ** 64n - 1n;
const POSITION = toPosition({ commit: 2n ** 53n + 1n, prepare: LONGEST });
const text = (bytes: Uint8Array | string) => Buffer.from(bytes as Uint8Array).toString();

describe('numbers of a message', () => {
  test('come back as they went', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: LONGEST }), fc.string(), (number, words) => {
        const fields = new Fields(new Message().number(1, 7).number(2, number).text(3, words).toBuffer());
        const found: unknown[] = [];
        while (fields.next()) {
          if (fields.field === 2) found.push(BigInt(fields.number()));
          if (fields.field === 3) found.push(fields.text());
        }
        expect(found).toEqual([number, Buffer.from(words).toString()]);
      }),
    );
  });

  test('that break off are an error', () => {
    const whole = new Message().text(1, 'whole').toBuffer();
    for (let length = 1; length < whole.length; length++) {
      const fields = new Fields(whole.subarray(0, length));
      expect(() => fields.next() && fields.text()).toThrow('a message ends in the middle of a field');
    }
  });
});

describe('an append', () => {
  const events = [
    { id: ID, type: 'Happened', data: '{"2":1,"1":"ã\\u0000"}', meta: '{"a":1.0}' },
    { id: ID, type: 'Other', data: '{}', meta: '{}' },
  ];
  const request = { correlationId: ID, stream: 'inventory-ç', events, now: 1_700_000_000_123 };

  test('is what the server’s description of it says, with the texts as they are', () => {
    const bytes = appendRequest({ ...request, expectedRevision: 4_294_967_296 });
    const read = streams.BatchAppendReq.deserializeBinary(bytes);
    expect(read.getCorrelationId()?.getString()).toBe(ID);
    expect(read.getIsFinal()).toBe(true);
    const options = read.getOptions();
    expect(text(options?.getStreamIdentifier()?.getStreamName_asU8() ?? '')).toBe('inventory-ç');
    expect(options?.getStreamPosition()).toBe('4294967296');
    const proposed = read.getProposedMessagesList().map((message) => ({
      id: message.getId()?.getString(),
      type: message.getMetadataMap().get('type'),
      contentType: message.getMetadataMap().get('content-type'),
      data: text(message.getData_asU8()),
      meta: text(message.getCustomMetadata_asU8()),
    }));
    expect(proposed).toEqual(events.map((event) => ({ ...event, contentType: 'application/json' })));
  });

  test('to a stream that must not be there yet, or be at its first event, says so', () => {
    const optionsOf = (expectedRevision: number) =>
      streams.BatchAppendReq.deserializeBinary(appendRequest({ ...request, expectedRevision })).getOptions();
    expect(optionsOf(NO_STREAM)?.hasNoStream()).toBe(true);
    expect(optionsOf(0)?.hasStreamPosition()).toBe(true);
    expect(optionsOf(0)?.getStreamPosition()).toBe('0');
  });

  test('ends by the length of time that it may take, whatever the server’s clock says', () => {
    const fields = new Fields(appendRequest({ ...request, expectedRevision: 1 }));
    const limits: unknown[] = [];
    while (fields.next()) {
      if (fields.field !== 2) continue;
      const options = fields.message();
      while (options.next()) {
        if (options.field < 6) continue;
        const { field } = options;
        const limit = options.message();
        while (limit.next()) limits.push([field, limit.field, limit.number()]);
      }
    }
    // The last of them is the one that counts.
    expect(limits).toEqual([
      [6, 1, 1_700_000_010],
      [7, 1, 10],
    ]);
  });
});

describe('a read', () => {
  const optionsOf = (bytes: Uint8Array) => {
    const options = streams.ReadReq.deserializeBinary(bytes).getOptions();
    if (!options) throw new Error('it has no options');
    expect(options.getUuidOption()?.hasString()).toBe(true);
    return options;
  };

  test('of a stream, from a revision or from an edge', () => {
    const middle = optionsOf(streamRequest('one', 0, 'forward', 1_000));
    expect(text(middle.getStream()?.getStreamIdentifier()?.getStreamName_asU8() ?? '')).toBe('one');
    expect([middle.getStream()?.hasRevision(), middle.getStream()?.getRevision()]).toEqual([true, '0']);
    expect([middle.getCount(), middle.getReadDirection(), middle.hasNoFilter()]).toEqual(['1000', 0, true]);
    expect(
      optionsOf(streamRequest('one', undefined, 'forward', 1))
        .getStream()
        ?.hasStart(),
    ).toBe(true);
    const last = optionsOf(streamRequest('one', undefined, 'backward', 1));
    expect([last.getStream()?.hasEnd(), last.getReadDirection()]).toEqual([true, 1]);
  });

  test('of the log, from a position or from an edge', () => {
    const middle = optionsOf(logRequest(POSITION, 'backward', 16))
      .getAll()
      ?.getPosition();
    expect([middle?.getCommitPosition(), middle?.getPreparePosition()]).toEqual(POSITION.split('-').map(unpadded));
    expect(
      optionsOf(logRequest(START, 'forward', 1))
        .getAll()
        ?.hasStart(),
    ).toBe(true);
    expect(
      optionsOf(logRequest(undefined, 'backward', 1))
        .getAll()
        ?.hasEnd(),
    ).toBe(true);
  });

  test('that never ends, of some types of events', () => {
    const options = optionsOf(subscribeRequest(START, '^a'));
    expect([options.hasSubscription(), options.getAll()?.hasStart()]).toEqual([true, true]);
    const filter = options.getFilter();
    expect([filter?.getEventType()?.getRegex(), filter?.hasCount()]).toEqual(['^a', true]);
    expect(filter?.getCheckpointintervalmultiplier()).toBe(1);
  });
});

const unpadded = (part: string): string => part.replace(/^0+/u, '');

describe('an answer', () => {
  const record = {
    id: ID,
    stream: 'one',
    revision: 7n,
    position: 2n ** 53n + 1n,
    type: 'Happened',
    contentType: 'application/json',
    data: Buffer.from('{"b":1, "a":"ã"}'),
    metadata: Buffer.from('{"at":1}'),
    created: 1n,
  };

  test('gives an event with its texts as they were stored', () => {
    const { event } = readAnswer(Buffer.from(readEvent(record).serializeBinary())) as { readonly event: unknown };
    const position = toPosition({ commit: record.position, prepare: record.position });
    expect(event).toEqual({
      id: ID,
      stream: 'one',
      revision: 7,
      position,
      type: 'Happened',
      data: '{"b":1, "a":"ã"}',
      meta: '{"at":1}',
    });
  });

  test('gives an event at the log’s very beginning, and one without metadata', () => {
    const first = readEvent({ ...record, revision: 0n, position: 0n, metadata: Buffer.alloc(0) });
    const { event } = readAnswer(Buffer.from(first.serializeBinary())) as { readonly event: object };
    expect(event).toMatchObject({ revision: 0, position: toPosition({ commit: 0, prepare: 0 }), meta: '{}' });
  });

  test('says that there is no such stream, or that the search goes on', () => {
    expect(readAnswer(Buffer.from(streamNotFound('one').serializeBinary()))).toEqual({ kind: 'no stream' });
    expect(readAnswer(Buffer.from(filterCheckpoint(5n).serializeBinary()))).toEqual({ kind: 'sign of life' });
  });

  test('names the append that it belongs to, with its id as text or as two numbers', () => {
    const response = new streams.BatchAppendResp();
    const success = new streams.BatchAppendResp.Success();
    success.setCurrentRevision('0');
    response.setSuccess(success);
    const id = new shared.UUID();
    id.setString(ID);
    response.setCorrelationId(id);
    const answered = { correlationId: ID, appended: { revision: 0, position: undefined }, refusal: '' };
    expect(appendAnswer(Buffer.from(response.serializeBinary()))).toEqual(answered);
    const halves = new shared.UUID.Structured();
    const hex = ID.replaceAll('-', '');
    halves.setMostSignificantBits(BigInt.asIntN(64, BigInt(`0x${hex.slice(0, 16)}`)).toString());
    halves.setLeastSignificantBits(BigInt.asIntN(64, BigInt(`0x${hex.slice(16)}`)).toString());
    id.setStructured(halves);
    expect(appendAnswer(Buffer.from(response.serializeBinary()))).toEqual(answered);
  });
});
