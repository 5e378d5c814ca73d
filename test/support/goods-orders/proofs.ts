import { createHash, createPublicKey, verify } from 'node:crypto';
import { metaOf } from '../../../src/kernel/events/recorded.js';
import type { StoredEvent } from '../../../src/ports/event-store.js';
import type { Asking } from './asking.js';
import type { Told } from './process.js';
import type { Shop } from './shop.js';
import type { Wish } from './wishes.js';

/** What was signed of the log, and what shows that events are part of it, worked out by RFC 6962 alone. */

interface Checkpoint {
  readonly logId: string;
  readonly size: number;
  readonly rootHash: string;
  readonly at: string;
  readonly signature: string;
}

interface Proof {
  readonly leafIndex: number;
  readonly leafHash: string;
  readonly size: number;
  readonly path: readonly string[];
  readonly checkpoint: Checkpoint;
}

const hash = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const node = (left: Uint8Array, right: Uint8Array): Buffer => hash(Buffer.from([1]), left, right);

const leaf = (event: StoredEvent): Buffer =>
  hash(Buffer.from([0]), Buffer.from(`${event.stream}\n${String(event.revision)}\n${metaOf(event).hash}`));

/** The largest power of two below a size. */
const left = (size: number): number => 2 ** Math.floor(Math.log2(size - 1));

function rootOf(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (!first) return hash();
  if (leaves.length === 1) return first;
  const split = left(leaves.length);
  return node(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

function rootBy(path: readonly Buffer[], own: Buffer, index: number, size: number): Buffer {
  const last = path.at(-1);
  if (!last || size === 1) return own;
  const [split, rest] = [left(size), path.slice(0, -1)];
  return index < split
    ? node(rootBy(rest, own, index, split), last)
    : node(last, rootBy(rest, own, index - split, size - split));
}

function faultsOfCheckpoint(leaves: readonly Buffer[], publicKey: string, told: Checkpoint): readonly string[] {
  const { logId, size, rootHash, at, signature } = told;
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const text = ['store-management checkpoint v1', logId, String(size), rootHash, at].join('\n');
  const isOwn = rootOf(leaves.slice(0, size)).toString('hex') === rootHash;
  return [
    ...(isOwn ? [] : [`the checkpoint of ${String(size)} is not that of the log`]),
    ...(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
      ? []
      : [`the checkpoint of ${String(size)} is signed by nobody`]),
  ];
}

export async function faultsOfProofs(
  { log, draws }: Shop,
  asked: readonly Asking[],
  ask: (wish: Wish) => Promise<Told>,
): Promise<readonly string[]> {
  const read = async (path: string, params?: object) =>
    (await ask({ what: `${path} at the end`, method: 'get', path, params })).body;
  const leaves = log.events.map(leaf);
  const { publicKey } = (await read('/.well-known/store-management-audit-key')) as { readonly publicKey: string };
  const told = asked.filter(({ wish, told: answer }) => wish.path === '/audit/checkpoint' && answer?.status === 200);
  const checkpoints = [
    ...told.map(({ told: answer }) => answer?.body as Checkpoint),
    (await read('/audit/checkpoint')) as Checkpoint,
  ];
  const faults = checkpoints.flatMap((one) => faultsOfCheckpoint(leaves, publicKey, one));
  for (const asking of told) {
    const { size } = asking.told?.body as Checkpoint;
    const known = log.events.filter(({ position }) => position <= asking.since).length;
    if (size < known) faults.push(`a checkpoint has ${String(size)} of ${String(known)} events that were answered for`);
  }
  const own = log.events.filter((event) => metaOf(event).storeId === asked[0]?.storeId);
  for (const event of own.length === 0 ? [] : [draws.of(own), draws.of(own)]) {
    const proof = (await read('/audit/proofs/{eventId}', { eventId: event.id })) as Proof;
    const { leafIndex, size, path, leafHash, checkpoint } = proof;
    const root = rootBy(
      path.map((one) => Buffer.from(one, 'hex')),
      leaf(event),
      leafIndex,
      size,
    ).toString('hex');
    const isProved =
      log.events[leafIndex] === event && leafHash === leaf(event).toString('hex') && root === checkpoint.rootHash;
    if (!isProved) faults.push(`the proof of ${event.type} shows nothing`);
  }
  return faults;
}
