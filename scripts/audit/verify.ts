import type { EventBytes, LogArchive } from '../../src/ports/log-archive.js';
import type { SignedCheckpoint } from '../../src/ports/kept-checkpoints.js';
import type { StreamHead } from '../../src/kernel/proof/log-check.js';
import { LogCheck } from '../../src/kernel/proof/log-check.js';
import type { CheckpointFile } from './proof-check.js';
import { isSigned } from './proof-check.js';

/** Where the log first differs from what was recorded. */
interface Break {
  readonly reason: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
}

interface Verification {
  readonly ok: boolean;
  readonly logId: string;
  readonly size: number;
  readonly streams: number;
  readonly rootHash: string;
  readonly firstBreak?: Break;
  readonly checkpoint?: Comparison;
  /** The days' checkpoints beside the log: the first that it differs from, or the newest. */
  readonly dailyCheckpoints?: Comparison & { readonly compared: number };
}

interface Comparison {
  readonly size: number;
  readonly ok: boolean;
  readonly reason?: string;
}

interface Wish {
  /** Kept by the service itself, a file a day; those of another log say nothing of this one. */
  readonly daily: readonly SignedCheckpoint[];
  readonly checkpoint: CheckpointFile | undefined;
  /** The installation's public key, in base64. */
  readonly key: string | undefined;
}

const breakAt = (reason: string, { stream, revision, position }: EventBytes): Break => {
  return { reason, stream, revision, position };
};

const PROGRESS_EVERY = 100_000;

/** Goes through every event: each must continue its stream's chain, and the tree over all must be what a checkpoint says. */
export async function verifyLog(
  log: LogArchive,
  { daily, checkpoint, key }: Wish,
  progress: { write(text: string): unknown; readonly isTTY?: boolean },
): Promise<Verification> {
  const heads = new Map<string, StreamHead>();
  const check = new LogCheck(heads);
  const { tree } = check;
  let firstBreak: Break | undefined;
  const ownDaily = daily.filter(({ logId }) => logId === log.logId);
  const sizes = new Set([checkpoint, ...ownDaily].map((one) => one?.size));
  const roots = new Map([[0, tree.root()]]);
  for await (const { bytes, events } of log.sealed()) {
    for (const event of events) {
      const reason = check.passBytes(event, bytes);
      if (reason !== undefined) firstBreak ??= breakAt(reason, event);
      if (sizes.has(tree.size)) roots.set(tree.size, tree.root());
      if (progress.isTTY === true && tree.size % PROGRESS_EVERY === 0) progress.write(`\r${String(tree.size)} events`);
    }
  }
  if (progress.isTTY === true) progress.write('\r');
  const now = { logId: log.logId, size: tree.size, roots };
  const kept = checkpoint && comparison(checkpoint, { ...now, key });
  const ofDays = ownDaily.map((one) => comparison(one, { ...now, key: undefined }));
  const ofDay = ofDays.find(({ ok }) => !ok) ?? ofDays.at(-1);
  return {
    ok: firstBreak === undefined && (kept?.ok ?? true) && (ofDay?.ok ?? true),
    logId: log.logId,
    size: tree.size,
    streams: heads.size,
    rootHash: tree.root(),
    ...(firstBreak ? { firstBreak } : {}),
    ...(kept ? { checkpoint: kept } : {}),
    ...(ofDay ? { dailyCheckpoints: { compared: ofDays.length, ...ofDay } } : {}),
  };
}

function comparison(
  checkpoint: CheckpointFile,
  now: {
    readonly logId: string;
    readonly size: number;
    /** By the number of events. */
    readonly roots: ReadonlyMap<number, string>;
    readonly key: string | undefined;
  },
): Comparison {
  const { size } = checkpoint;
  const wrong = (reason: string) => ({ size, ok: false, reason });
  if (checkpoint.logId !== now.logId) return wrong('the checkpoint is of another log');
  if (now.key !== undefined && !isSigned(checkpoint, now.key)) return wrong('the checkpoint is not signed by that key');
  if (now.size < size) return wrong(`the log has lost events: it had ${String(size)} and has ${String(now.size)}`);
  if (now.roots.get(size) !== checkpoint.rootHash)
    return wrong('the events up to the checkpoint are not those that it speaks of');
  return { size, ok: true };
}
