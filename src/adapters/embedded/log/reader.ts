import { isAscii } from 'node:buffer';
import type { StatementSyncInstance } from '@photostructure/sqlite';
import type { VaultCipher } from '../../vault-cipher.js';
import type { EventToTell } from '../../../ports/event-teller.js';
import type { LogFile } from './file.js';
import { positionText } from './position.js';
import type { EventRow, ReadReply, ReadRequest, VaultRowRead } from './protocol.js';

const PAGE_BYTES = 2_000_000;
const DATA = 5;
const META = 6;
/** Sorts after every character that an id is made of. */
const LAST_CHARACTER = '\u{10ffff}';

const EVENT = 'select position, name, revision, events.id, type, data, meta from events';
// An event whose stream has lost its name is handed on all the same: whoever follows the log would wait for it for ever.
const ANY_EVENT = `select position, coalesce(name, '') as name, revision, events.id, type, data, meta from events
  left join streams on streams.id = stream`;
const ROW = 'select id, version, value, dueAt from vault where kind = ? and (expiresAt is null or expiresAt > ?)';

/** Answers reads of the log and the vault. Lives in the reader worker. */
export class LogReader {
  private readonly cipher: VaultCipher;
  private readonly statements;

  constructor({ database, cipher }: LogFile) {
    this.cipher = cipher;
    const ofStream = `${EVENT}, streams where streams.name = ? and stream = streams.id and revision`;
    this.statements = {
      forward: database.prepare(`${ofStream} >= ? order by revision limit ?`),
      backward: database.prepare(`${ofStream} <= ? order by revision desc limit ?`),
      all: database.prepare(`${ANY_EVENT} where position > ? order by position limit ?`),
      at: database.prepare(
        `${EVENT} join streams on streams.id = stream where position in (select value from json_each(?)) order by position`,
      ),
      // Bytes become strings several times as fast where they are ASCII, and answers take the data as bytes.
      bytesAt: database.prepare(
        `select position, name, revision, events.id, type, cast(concat(data, meta) as blob), octet_length(data) from events
          join streams on streams.id = stream where position in (select value from json_each(?))`,
      ),
      row: database.prepare(`${ROW} and id = ?`),
      many: database.prepare(`${ROW} and id in (select value from json_each(?))`),
      rows: database.prepare(`${ROW} and id > ? and id >= ? and id < ? order by id limit ?`),
      due: database.prepare(`${ROW} and dueAt <= ? order by dueAt limit ?`),
    };
  }

  read(request: ReadRequest): ReadReply {
    const { statements } = this;
    switch (request[0]) {
      case 'stream': {
        const [, name, from, backward, limit] = request;
        return eventPage(backward ? statements.backward : statements.forward, [name, from, limit]);
      }
      case 'all':
        return eventPage(statements.all, [request[1], request[2]]);
      case 'at':
        return eventPage(statements.at, [request[1]]);
      case 'row': {
        const [, kind, id, now] = request;
        return this.vaultRows(statements.row, kind, [now, id]);
      }
      case 'many': {
        const [, kind, ids, now] = request;
        return this.vaultRows(statements.many, kind, [now, ids]);
      }
      case 'rows': {
        const [, kind, after, prefix, limit, now] = request;
        return this.vaultRows(statements.rows, kind, [now, after, prefix, prefix + LAST_CHARACTER, limit]);
      }
      case 'due': {
        const [, kind, before, limit, now] = request;
        return this.vaultRows(statements.due, kind, [now, before, limit]);
      }
    }
  }

  /** The events at some positions, in their order. */
  eventsAt(positions: readonly number[]): readonly EventToTell[] {
    const rows = this.statements.bytesAt.all(JSON.stringify(positions)) as unknown as BytesRow[];
    const found = new Map(rows.map((row) => [row[0], row]));
    return positions.flatMap((position) => {
      const row = found.get(position);
      return row ? [eventOfBytes(row)] : [];
    });
  }

  private vaultRows(statement: StatementSyncInstance, kind: string, parameters: readonly unknown[]): ReadReply {
    const found = statement.all(kind, ...parameters) as [string, number, Uint8Array, number | null][];
    const rows = found.map(([id, version, sealed, dueAt]): VaultRowRead => {
      return [id, version, this.cipher.open({ kind, id, version }, sealed), dueAt];
    });
    return { rows, cut: false };
  }
}

/** Its data and its metadata as one piece of bytes, and how many of those are the data's. */
type BytesRow = readonly [number, string, number, string, string, Uint8Array, number];

function eventOfBytes([position, stream, revision, id, type, bytes, length]: BytesRow): EventToTell {
  const both = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encoding = isAscii(both) ? 'latin1' : 'utf8';
  const data = both.toString(encoding, 0, length);
  const meta = both.toString(encoding, length);
  const dataBytes = both.subarray(0, length);
  return { id, type, data, meta, stream, revision, position: positionText(position), dataBytes };
}

function eventPage(statement: StatementSyncInstance, parameters: readonly unknown[]): ReadReply {
  const rows: EventRow[] = [];
  let bytes = 0;
  for (const row of statement.iterate(...parameters) as Iterable<EventRow>) {
    rows.push(row);
    bytes += row[DATA].length + row[META].length;
    if (bytes > PAGE_BYTES) return { rows, cut: true };
  }
  return { rows, cut: false };
}
