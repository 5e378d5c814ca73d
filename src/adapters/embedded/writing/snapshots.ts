import type { Snapshot, Snapshots } from '../../../ports/snapshots.js';
import type { QuestionLink } from '../workers/question-link.js';
import type { Writing } from '../read-protocol.js';
import type { Readers } from '../reading/readers.js';
import type { SnapshotCells } from './snapshot-rows.js';
import { snapshotOf } from './snapshot-rows.js';

/** Snapshots in `read.db`: what is lost with it is folded again. */
export class EmbeddedSnapshots implements Snapshots {
  constructor(
    private readonly writer: QuestionLink<Writing, unknown>,
    private readonly readers: Pick<Readers, 'ask'>,
  ) {}

  async save(stream: string, snapshot: Snapshot): Promise<void> {
    await this.writer.ask({ kind: 'saveSnapshot', stream, snapshot });
  }

  async load(stream: string): Promise<Snapshot | undefined> {
    const found = (await this.readers.ask({ kind: 'raw', statement: snapshotOf(stream) })) as SnapshotCells[];
    const [first] = found;
    if (!first) return undefined;
    const [logId, version, revision] = first;
    const pieces = found.map(([, , , bytes]) => bytes).filter((bytes) => bytes !== null);
    return { logId, version, revision, pieces };
  }
}
