import type { Collection } from 'mongodb';
import type { RowSeal, SealedRow, VaultTarget, VaultToMove } from '../../ports/moving.js';
import { StartRefused } from '../../ports/start-refused.js';
import type { Connection } from './connection.js';
import { insertEach } from './connection.js';
import { expectKey } from './key-check.js';
import { expectLog } from './log-check.js';
import type { VaultDocument } from './vault.js';

interface Standing {
  readonly _id: 'move';
  readonly logId: string;
  readonly state: 'under way' | 'ended' | 'moved away';
}

const PAGE = 1_000;

const standings = (connection: Connection): Collection<Standing> => connection.collection<Standing>('moves');
const standingOf = (connection: Connection) => connection.read(() => standings(connection).findOne({ _id: 'move' }));

const brokenOff = () => new StartRefused('the move to MONGODB_URL was broken off: repeat it');

/** Throws StartRefused where a move was broken off, or took the vault away. */
export async function expectInUse(connection: Connection): Promise<void> {
  const state = (await standingOf(connection))?.state;
  if (state === 'under way') throw brokenOff();
  if (state === 'moved away')
    throw new StartRefused('the vault of MONGODB_URL was moved away: it is not used any more');
}

/** A vault in MongoDB that is about to move, in one direction or the other. */
export class MovingVault implements VaultToMove, VaultTarget {
  private logId = '';
  /** An earlier try brought everything, and was broken off before the source was marked. */
  private ended = false;

  constructor(private readonly connection: Connection) {}

  /** For a vault that leaves the server. Throws StartRefused where there is none, or it is not of the key, or not that of the log, which lies at the place. */
  async identify(logId: string, place: string, seal: RowSeal): Promise<void> {
    const standing = await standingOf(this.connection);
    if (standing?.state === 'under way') throw brokenOff();
    if (!standing && (await this.count()) === 0) throw new StartRefused('the database of MONGODB_URL holds no vault');
    await expectKey(this.connection, seal);
    await expectLog(this.connection, logId, place);
  }

  async expectRoom(logId: string): Promise<void> {
    await this.earlierTry(logId);
  }

  async begin(logId: string): Promise<void> {
    this.logId = logId;
    const earlier = await this.earlierTry(logId);
    if (earlier === 'under way') {
      await this.connection.patiently(() => this.rows.deleteMany({}));
      return;
    }
    this.ended = earlier === 'ended';
    if (this.ended) return;
    await this.note('under way');
    // Otherwise whoever starts first would note it, by an address that may be wrong.
    await expectLog(this.connection, logId, 'DATA_DIR');
  }

  async put(rows: readonly SealedRow[]): Promise<void> {
    if (!this.ended) await insertEach(this.connection, this.rows, rows.map(documentOf));
  }

  count(): Promise<number> {
    return this.connection.read(() => this.rows.countDocuments({}));
  }

  async *pages(): AsyncGenerator<readonly SealedRow[]> {
    let after = '';
    for (;;) {
      const filter = { _id: { $gt: after } };
      const page = await this.connection.read(() =>
        this.rows.find(filter, { sort: { _id: 1 }, limit: PAGE }).toArray(),
      );
      const last = page.at(-1);
      if (!last) return;
      yield page.map(rowOf);
      after = last._id;
    }
  }

  async finish(): Promise<void> {
    await this.note('ended');
  }

  async markMoved(): Promise<void> {
    await this.note('moved away');
  }

  /** How far an earlier try of this move has come, if there was any; throws when there is anything else. */
  private async earlierTry(logId: string): Promise<'under way' | 'ended' | undefined> {
    const standing = await standingOf(this.connection);
    if (!standing && (await this.count()) === 0) return undefined;
    if (standing?.logId !== logId || standing.state === 'moved away') {
      throw new StartRefused('the database of MONGODB_URL is not empty: a move needs an empty one');
    }
    return standing.state;
  }

  private get rows(): Collection<VaultDocument> {
    return this.connection.collection('vault');
  }

  private async note(state: Standing['state']): Promise<void> {
    const standing = { logId: this.logId, state };
    await this.connection.write(() =>
      standings(this.connection).replaceOne({ _id: 'move' }, standing, { upsert: true }),
    );
  }
}

const documentOf = ({ kind, id, version, value, dueAt, expiresAt }: SealedRow): VaultDocument => ({
  _id: `${kind}/${id}`,
  kind,
  version,
  value: Buffer.from(value),
  ...(dueAt !== null && { dueAt }),
  ...(expiresAt !== null && { expiresAt }),
});

const rowOf = ({ _id, kind, version, value, dueAt, expiresAt }: VaultDocument): SealedRow => ({
  kind,
  id: _id.slice(kind.length + 1),
  version,
  value,
  dueAt: dueAt ?? null,
  expiresAt: expiresAt ?? null,
});
