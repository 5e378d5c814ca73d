import type { RowSeal } from '../../ports/moving.js';
import { StartRefused } from '../../ports/start-refused.js';
import type { Connection } from './connection.js';
import { maxTimeMS } from './connection.js';
import { firstNoted } from './first-noted.js';
import type { VaultDocument } from './vault.js';

/** A value that the key which the vault began with has sealed. */
interface KeyCheck {
  readonly _id: 'key';
  readonly value: Buffer;
}

const CHECK = { kind: 'about', id: 'vault', version: 0, dueAt: null, expiresAt: null, value: Buffer.alloc(0) };
/** So many rows of a vault that began without a check are tried: one of them may be damaged. */
const TRIED = 20;

/**
 * Throws StartRefused for a key other than the one that the vault began with: a process that has another reads nothing of what is there, and
 * what it writes nobody else can read.
 */
export async function expectKey(connection: Connection, seal: RowSeal): Promise<void> {
  const { value } = await firstNoted<KeyCheck>(connection, 'key', async () => {
    await expectRowsSealedWith(connection, seal);
    return { value: Buffer.from(seal.seal(CHECK, 'vault').value) };
  });
  seal.open({ ...CHECK, value });
}

/** A vault of an earlier release has rows and no check. */
async function expectRowsSealedWith(connection: Connection, seal: RowSeal): Promise<void> {
  const vault = connection.collection<VaultDocument>('vault');
  const rows = await connection.read(() => vault.find({}, { sort: { _id: 1 }, limit: TRIED, maxTimeMS }).toArray());
  let refused: StartRefused | undefined;
  for (const { _id, kind, version, value } of rows) {
    try {
      seal.open({ ...CHECK, kind, id: _id.slice(kind.length + 1), version, value });
      return;
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error;
      refused = error;
    }
  }
  if (refused) throw refused;
}
