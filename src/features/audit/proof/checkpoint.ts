import { z } from 'zod';
import type { LogTree } from './log-tree.js';
import type { SigningKey } from './signing-key.js';

export const checkpointAnswer = z
  .strictObject({
    logId: z.string(),
    size: z.int(),
    rootHash: z.string(),
    at: z.iso.datetime(),
    signature: z.string(),
  })
  .meta({
    id: 'Checkpoint',
    description:
      'What the whole log was at a moment: how many events, and the root of the Merkle tree (RFC 6962, SHA-256) over them. `signature` is Ed25519 over ' +
      'the UTF-8 text `store-management checkpoint v1`, logId, size, rootHash and at, each on a line of its own.',
  });
export type Checkpoint = z.output<typeof checkpointAnswer>;

const checkpointText = ({ logId, size, rootHash: root, at }: Omit<Checkpoint, 'signature'>): string =>
  ['store-management checkpoint v1', logId, String(size), root, at].join('\n');

/** Signs what the tree of that size is. */
export async function makeCheckpoint(
  { tree, key, logId }: { readonly tree: LogTree; readonly key: SigningKey; readonly logId: string },
  size: number,
  at: string,
): Promise<Checkpoint> {
  const root = await tree.root(size);
  const unsigned = { logId, size, rootHash: root.toString('hex'), at };
  return { ...unsigned, signature: await key.sign(checkpointText(unsigned)) };
}
