/** One record of the log; its position counts bytes, as the real server's does. */
export interface LogRecord {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: bigint;
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  /** Ticks of 100 ns since 1970. */
  readonly created: bigint;
}

export type ProposedEvent = Pick<LogRecord, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>;
export type Expected = bigint | 'any' | 'stream_exists' | 'no_stream';

export type AppendOutcome =
  | { readonly kind: 'stored'; readonly revision: bigint; readonly position: bigint }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'wrong-version'; readonly actual: bigint | 'no_stream' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'malformed' };

export const MAX_APPEND_BYTES = 1_048_576;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface StreamState {
  readonly records: LogRecord[];
  /** Revisions below it are hidden: `records.length` after a soft delete. */
  truncatedBefore: number;
  maxCount: number;
  tombstoned: boolean;
}

/** What the stand-in stores, and its rules of appending: everything that outlives a restart, and the little that does not. */
export class EventLog {
  readonly records: LogRecord[] = [];
  private readonly streams = new Map<string, StreamState>();
  private readonly indexes = new Map<bigint, number>();
  /** Where each event id was last stored; forgotten by a restart. */
  private readonly recentIds = new Map<string, LogRecord>();
  private readonly listeners = new Set<() => void>();
  private readonly scavenged = new Set<LogRecord>();
  private end = 0n;
  /** Appends that come again are recognised, as the real server does it for a while. */
  recognisesRepeats = true;

  constructor(private readonly persist: (records: readonly LogRecord[]) => void = () => undefined) {}

  /** The server came back with its data and lost what it only had in memory. */
  restarted(): void {
    this.recentIds.clear();
  }

  onGrowth(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  indexOf(position: bigint): number | undefined {
    return this.indexes.get(position);
  }

  /** What a stream read sees, `missing` and `deleted` being answers of their own. */
  read(stream: string): { readonly all: readonly LogRecord[]; readonly from: number } | 'missing' | 'deleted' {
    const state = this.streams.get(stream);
    if (state?.tombstoned) return 'deleted';
    if (!state || state.truncatedBefore >= state.records.length) return 'missing';
    return { all: state.records, from: Math.max(state.truncatedBefore, state.records.length - state.maxCount) };
  }

  append(stream: string, expected: Expected, events: readonly ProposedEvent[]): AppendOutcome {
    if (stream === '' || events.some((event) => !UUID.test(event.id))) return { kind: 'malformed' };
    if (events.reduce((bytes, event) => bytes + event.data.length, 0) > MAX_APPEND_BYTES) return { kind: 'too-large' };
    if (events.length === 0) return { kind: 'nothing' };
    const state = this.streams.get(stream);
    if (state?.tombstoned) return { kind: 'deleted' };
    const before = this.recognisesRepeats ? this.repeatOf(state, expected, events) : undefined;
    if (before) return { kind: 'stored', revision: before.revision, position: before.position };
    if (!fits(state, expected)) {
      return { kind: 'wrong-version', actual: state?.records.length ? BigInt(state.records.length - 1) : 'no_stream' };
    }
    const last = this.store(stream, events);
    return { kind: 'stored', revision: last.revision, position: last.position };
  }

  /** Hides a stream's events, which goes on at its next revision. */
  softDelete(stream: string): bigint {
    return this.store(`$$${stream}`, [systemEvent('$metadata', { $tb: '9223372036854775807' })]).position;
  }

  tombstone(stream: string): bigint {
    return this.store(stream, [systemEvent('$streamDeleted', {})]).position;
  }

  /** Leaves the last events of a stream alone. */
  keepLast(stream: string, $maxCount: number): void {
    this.store(`$$${stream}`, [systemEvent('$metadata', { $maxCount })]);
  }

  /** Takes away for good what no stream shows any more; positions stay what they were, with holes between them. */
  scavenge(): void {
    for (const record of this.records) if (!this.isShown(record)) this.scavenged.add(record);
  }

  isThere(record: LogRecord): boolean {
    return !this.scavenged.has(record);
  }

  private isShown({ stream, revision }: LogRecord): boolean {
    const { records, tombstoned, truncatedBefore, maxCount } = this.stateOf(stream);
    const last = records.length - 1;
    if (tombstoned) return Number(revision) === last;
    return Number(revision) >= Math.max(truncatedBefore, records.length - maxCount);
  }

  /** What the real server writes for itself. */
  writeSystemEvent(): void {
    this.store('$stats-127.0.0.1:2113', [systemEvent('$statsCollected', { 'proc-cpu': 1 })]);
  }

  /** Takes a record in as it was stored before. */
  restore(record: LogRecord): void {
    const state = this.stateOf(record.stream);
    state.records.push(record);
    if (record.type === '$streamDeleted') state.tombstoned = true;
    if (record.type === '$metadata') this.applyMetadata(record);
    this.indexes.set(record.position, this.records.length);
    this.records.push(record);
    this.end = record.position + 80n + BigInt(record.data.length + record.metadata.length);
  }

  private applyMetadata(record: LogRecord): void {
    const state = this.stateOf(record.stream.slice(2));
    const metadata = JSON.parse(Buffer.from(record.data).toString()) as { $tb?: number | string; $maxCount?: number };
    state.truncatedBefore = Math.min(Number(metadata.$tb ?? 0), state.records.length);
    state.maxCount = metadata.$maxCount ?? Infinity;
  }

  /** The record that ends an earlier append of the same ids at the same place. */
  private repeat(
    state: StreamState | undefined,
    expected: Expected,
    events: readonly ProposedEvent[],
  ): LogRecord | undefined {
    if (!state || expected === 'stream_exists') return undefined;
    const first = expected === 'no_stream' ? 0 : Number(expected) + 1;
    const same = events.every((event, index) => state.records[first + index]?.id === event.id);
    return same ? state.records[first + events.length - 1] : undefined;
  }

  private repeatOf(state: StreamState | undefined, expected: Expected, events: readonly ProposedEvent[]) {
    return expected === 'any' ? this.repeatOfAny(events) : this.repeat(state, expected, events);
  }

  private repeatOfAny(events: readonly ProposedEvent[]): LogRecord | undefined {
    const known = events.map((event) => this.recentIds.get(event.id));
    return known.includes(undefined) ? undefined : known.at(-1);
  }

  private store(stream: string, events: readonly ProposedEvent[]): LogRecord {
    const { records } = this.stateOf(stream);
    for (const event of events) {
      const record: LogRecord = {
        ...event,
        stream,
        revision: BigInt(records.length),
        position: this.end,
        created: BigInt(Date.now()) * 10_000n,
      };
      this.restore(record);
      this.recentIds.set(record.id, record);
    }
    this.persist(records.slice(-events.length));
    for (const listener of this.listeners) listener();
    return records.at(-1) as LogRecord;
  }

  private stateOf(stream: string): StreamState {
    let state = this.streams.get(stream);
    if (!state) {
      state = { records: [], truncatedBefore: 0, maxCount: Infinity, tombstoned: false };
      this.streams.set(stream, state);
    }
    return state;
  }
}

function fits(state: StreamState | undefined, expected: Expected): boolean {
  const length = state?.records.length ?? 0;
  if (expected === 'any') return true;
  if (expected === 'stream_exists') return length > 0;
  if (expected === 'no_stream') return length === 0 || state?.truncatedBefore === length;
  return BigInt(length) === expected + 1n;
}

function systemEvent(type: string, data: object): ProposedEvent {
  return {
    id: crypto.randomUUID(),
    type,
    contentType: 'application/json',
    data: Buffer.from(JSON.stringify(data)),
    metadata: new Uint8Array(),
  };
}
