import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { EventStore } from '../../ports/event-store.js';
import type { Snapshots } from '../../ports/snapshots.js';
import type { Clock } from '../values/clock.js';
import { endOfWholeSigns } from '../values/whole-signs.js';
import type { SnapshotCodec } from '../events/decider.js';
import { metaOf } from '../events/recorded.js';
import type { Head } from './head.js';
import { KeyedCommands } from './head.js';

const PIECE_BYTES = 500 * 1024;
/** So much of a state's text is read in one turn of the event loop, or one part of it that is longer. */
const TURN = 64 * 1024;
const EVENTS_BETWEEN = 5_000;
const MILLISECONDS_BETWEEN = 30_000;

const pack = promisify(deflate);
const unpack = promisify(inflate);

interface Opening {
  readonly hash: string;
  readonly at: string;
  readonly position: string;
  readonly keysFrom: number;
  readonly keys: readonly (readonly [string, number, number])[];
}

/** Keeps lane states beside the log, as JSON lines in compressed pieces; compressing happens off the main thread. */
export class LaneSnapshots {
  private readonly saved = new Map<string, { revision: number; at: number }>();

  constructor(
    private readonly port: Snapshots,
    private readonly logId: string,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** After work: a busy stream is kept every 5,000 events, at most every 30 s. */
  consider(lane: { snapshot(minimumEvents: number): Promise<void> }): void {
    lane.snapshot(EVENTS_BETWEEN).catch(this.onError);
  }

  async save<S>(
    stream: string,
    codec: SnapshotCodec<S>,
    head: Head<S>,
    keys: KeyedCommands,
    minimumEvents: number,
    minimumAge = MILLISECONDS_BETWEEN,
  ): Promise<void> {
    const last = this.saved.get(stream) ?? { revision: -1, at: -Infinity };
    const now = this.clock.now();
    const enough = Math.min(minimumEvents, codec.everyEvents ?? Infinity);
    if (head.revision - last.revision < enough || now - last.at < minimumAge) return;
    this.saved.set(stream, { revision: head.revision, at: now });
    const { hash, at, position } = head;
    const opening: Opening = { hash, at, position, keysFrom: keys.knownFrom, keys: keys.entries() };
    const pieces: Uint8Array[] = [];
    for await (const text of piecesOf(opening, codec.save(head.state))) pieces.push(await pack(text));
    await this.port.save(stream, { logId: this.logId, version: codec.version, revision: head.revision, pieces });
  }

  async load<S>(
    stream: string,
    codec: SnapshotCodec<S>,
    store: EventStore,
  ): Promise<{ head: Head<S>; keys: KeyedCommands } | undefined> {
    const kept = await this.port.load(stream);
    if (kept?.logId !== this.logId || kept.version !== codec.version) return undefined;
    const lines = linesOf(kept.pieces);
    const first = await lines.next();
    if (first.done === true) return undefined;
    const { hash, at, position, keysFrom, keys } = JSON.parse(first.value) as Opening;
    const [event] = await store.readStream(stream, { from: kept.revision, limit: 1 });
    if (!event || metaOf(event).hash !== hash) return undefined;
    const parts = codec.load();
    let length = 0;
    for await (const line of lines) {
      parts.add(JSON.parse(line));
      length += line.length;
      if (length < TURN) continue;
      length = 0;
      await othersFirst(); // a large store's state takes half a second
    }
    this.saved.set(stream, { revision: kept.revision, at: this.clock.now() });
    return {
      head: { state: parts.state(), revision: kept.revision, position, hash, at },
      keys: KeyedCommands.restore(keysFrom, keys),
    };
  }
}

async function* linesOf(pieces: readonly Uint8Array[]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun = '';
  for (const piece of pieces) {
    const lines = (begun + decoder.decode(await unpack(piece), { stream: true })).split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
  }
  yield begun;
}

async function* piecesOf(opening: Opening, parts: Iterable<unknown>): AsyncGenerator<string> {
  let text = JSON.stringify(opening);
  for (const part of parts) {
    text += `\n${JSON.stringify(part)}`;
    while (text.length >= PIECE_BYTES) {
      // The halves of a sign are one only in the same piece.
      const end = endOfWholeSigns(text, PIECE_BYTES);
      yield text.slice(0, end);
      text = text.slice(end);
      await othersFirst(); // the states are immutable, so others may work meanwhile
    }
  }
  yield text;
}
