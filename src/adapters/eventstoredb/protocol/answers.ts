import type { Position, StoredEvent } from '../../../ports/event-store.js';
import { toPosition } from '../positions.js';
import { Fields } from './protobuf.js';

/** The answers of the server's streams service; the numbers are those of its `streams.proto`. */

export type ReadAnswer =
  | { readonly kind: 'event'; readonly event: StoredEvent }
  | { readonly kind: 'no stream' }
  /** Says how far a search has come, or something that is of no use here. */
  | { readonly kind: 'sign of life' };

const SIGN_OF_LIFE: ReadAnswer = { kind: 'sign of life' };

export function readAnswer(bytes: Buffer): ReadAnswer {
  const fields = new Fields(bytes);
  while (fields.next()) {
    if (fields.field === 1) return { kind: 'event', event: readEvent(fields.message()) };
    if (fields.field === 4) return { kind: 'no stream' };
  }
  return SIGN_OF_LIFE;
}

function readEvent(fields: Fields): StoredEvent {
  while (fields.next()) if (fields.field === 1) return recordedEvent(fields.message());
  throw new Error('EventStoreDB sent no event where it said that it does');
}

function recordedEvent(fields: Fields): StoredEvent {
  const event = { id: '', stream: '', revision: 0, type: '', data: '', meta: '' };
  let [commit, prepare]: (bigint | number | undefined)[] = [];
  while (fields.next()) {
    const { field } = fields;
    if (field === 1) event.id = uuid(fields.message());
    else if (field === 2) event.stream = streamName(fields.message());
    else if (field === 3) event.revision = Number(fields.number());
    else if (field === 4) prepare = fields.number();
    else if (field === 5) commit = fields.number();
    else if (field === 6) event.type = typeIn(fields.message()) ?? event.type;
    else if (field === 7) event.meta = fields.text();
    else if (field === 8) event.data = fields.text();
  }
  // Fields that are 0 are not sent.
  return { ...event, meta: event.meta || '{}', position: toPosition({ commit: commit ?? 0, prepare: prepare ?? 0 }) };
}

/** The type, if that is what the property says. */
function typeIn(property: Fields): string | undefined {
  let key = '';
  let value = '';
  while (property.next()) {
    if (property.field === 1) key = property.text();
    else if (property.field === 2) value = property.text();
  }
  return key === 'type' ? value : undefined;
}

function streamName(fields: Fields): string {
  while (fields.next()) if (fields.field === 3) return fields.text();
  return '';
}

function uuid(fields: Fields): string {
  while (fields.next()) {
    if (fields.field === 2) return fields.text();
    if (fields.field === 1) return halves(fields.message());
  }
  return '';
}

/** An id in two numbers of 64 bits. */
function halves(fields: Fields): string {
  const parts = [0n, 0n];
  while (fields.next()) parts[fields.field - 1] = BigInt(fields.number());
  const hex = parts.map((part) => BigInt.asUintN(64, part).toString(16).padStart(16, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

export interface AppendAnswer {
  readonly correlationId: string;
  /** Undefined where the append was refused. */
  readonly appended: { readonly revision: number; readonly position: Position | undefined } | undefined;
  /** Why it was refused: the name of a message of the server's. */
  readonly refusal: string;
}

export function appendAnswer(bytes: Buffer): AppendAnswer {
  const fields = new Fields(bytes);
  let [correlationId, refusal] = ['', ''];
  let appended: AppendAnswer['appended'];
  while (fields.next()) {
    if (fields.field === 1) correlationId = uuid(fields.message());
    else if (fields.field === 2) refusal = reasonIn(fields.message());
    else if (fields.field === 3) appended = success(fields.message());
  }
  return { correlationId, appended, refusal };
}

function success(fields: Fields): NonNullable<AppendAnswer['appended']> {
  let revision = 0;
  let position: Position | undefined;
  while (fields.next()) {
    if (fields.field === 1) revision = Number(fields.number());
    else if (fields.field === 3) position = logPosition(fields.message());
  }
  return { revision, position };
}

function logPosition(fields: Fields): Position {
  const parts: [bigint | number, bigint | number] = [0, 0];
  while (fields.next()) if (fields.field <= 2) parts[fields.field - 1] = fields.number();
  return toPosition({ commit: parts[0], prepare: parts[1] });
}

const PACKAGE = 'type.googleapis.com/event_store.client.';

/** A status that packs the reason's message, by its name. */
function reasonIn(status: Fields): string {
  while (status.next()) {
    if (status.field !== 3) continue;
    const packed = status.message();
    while (packed.next()) if (packed.field === 1) return packed.text().replace(PACKAGE, '');
  }
  return 'Unknown';
}
