import { isSealed } from '../../src/kernel/events/chain.js';
import type { EventMeta } from '../../src/kernel/events/event.js';
import type { LogArchive } from '../../src/ports/log-archive.js';
import { GrowingTree } from '../../src/kernel/proof/growing-tree.js';
import type { CheckpointFile } from './proof-check.js';
import { isSigned } from './proof-check.js';

/** Where the log first differs from what was recorded. */
interface Break {
  readonly reason: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
}

export interface Verification {
  readonly ok: boolean;
  readonly logId: string;
  readonly size: number;
  readonly streams: number;
  readonly rootHash: string;
  readonly firstBreak?: Break;
  readonly checkpoint?: { readonly size: number; readonly ok: boolean; readonly reason?: string };
}

interface Wish {
  readonly checkpoint: CheckpointFile | undefined;
  /** The installation's public key, in base64. */
  readonly key: string | undefined;
}

const PROGRESS_EVERY = 100_000;

/** Goes through every event: each must continue its stream's chain, and the tree over all must be what a checkpoint says. */
export async function verifyLog(
  log: LogArchive,
  { checkpoint, key }: Wish,
  progress: { write(text: string): unknown; readonly isTTY?: boolean },
): Promise<Verification> {
  const heads = new Map<string, { revision: number; hash: string }>();
  const tree = new GrowingTree();
  let firstBreak: Break | undefined;
  let rootThen = checkpoint?.size === 0 ? tree.root() : undefined;
  for await (const page of log.all()) {
    for (const event of page) {
      const { stream, revision, position } = event;
      const head = heads.get(stream) ?? { revision: -1, hash: '' };
      const { hash } = JSON.parse(event.meta) as EventMeta;
      if (!firstBreak) {
        if (revision !== head.revision + 1)
          firstBreak = { reason: 'an event is missing before it', stream, revision, position };
        else if (!isSealed(head.hash, event)) {
          firstBreak = { reason: 'it is not what was recorded', stream, revision, position };
        }
      }
      heads.set(stream, { revision, hash });
      tree.add(stream, revision, hash);
      if (tree.size === checkpoint?.size) rootThen = tree.root();
      if (progress.isTTY === true && tree.size % PROGRESS_EVERY === 0) progress.write(`\r${String(tree.size)} events`);
    }
  }
  if (progress.isTTY === true) progress.write('\r');
  const kept = checkpoint && checkpointResult(checkpoint, { logId: log.logId, size: tree.size, rootThen, key });
  return {
    ok: firstBreak === undefined && (kept?.ok ?? true),
    logId: log.logId,
    size: tree.size,
    streams: heads.size,
    rootHash: tree.root(),
    ...(firstBreak ? { firstBreak } : {}),
    ...(kept ? { checkpoint: kept } : {}),
  };
}

function checkpointResult(
  checkpoint: CheckpointFile,
  now: {
    readonly logId: string;
    readonly size: number;
    readonly rootThen: string | undefined;
    readonly key: string | undefined;
  },
) {
  const { size } = checkpoint;
  const wrong = (reason: string) => ({ size, ok: false, reason });
  if (checkpoint.logId !== now.logId) return wrong('the checkpoint is of another log');
  if (now.key !== undefined && !isSigned(checkpoint, now.key)) return wrong('the checkpoint is not signed by that key');
  if (now.size < size) return wrong(`the log has lost events: it had ${String(size)} and has ${String(now.size)}`);
  if (now.rootThen !== checkpoint.rootHash)
    return wrong('the events up to the checkpoint are not those that it speaks of');
  return { size, ok: true };
}
