import { createHash, createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';

/**
 * Checks what the service says of its log, with nothing of the service's own code: hashes, the walks of RFC 9162 (2.1.3.2 and 2.1.4.2) and
 * signatures. Short enough to be read, or written again, by an auditor.
 */

const hex = z.string().regex(/^[0-9a-f]{64}$/);

export const checkpointFile = z.object({
  logId: z.string(),
  size: z.int().min(0),
  rootHash: hex,
  at: z.string(),
  signature: z.string(),
});
export type CheckpointFile = z.output<typeof checkpointFile>;

export const proofFile = z.object({
  event: z.object({
    id: z.string(),
    stream: z.string(),
    revision: z.int(),
    type: z.string(),
    data: z.string(),
    meta: z.string(),
  }),
  leafIndex: z.int().min(0),
  size: z.int().min(1),
  leafHash: hex,
  // The first releases had hashes in base64url.
  previousHash: z.string().regex(/^([0-9a-f]{64}|[\w-]{43})?$/),
  path: z.array(hex),
  checkpoint: checkpointFile,
});
type ProofFile = z.output<typeof proofFile>;

const digest = (...pieces: readonly Uint8Array[]): Buffer =>
  createHash('sha256').update(Buffer.concat(pieces)).digest();
const pair = (left: Uint8Array, right: Uint8Array): Buffer => digest(Uint8Array.of(1), left, right);
const bytes = (text: string): Buffer => Buffer.from(text, 'hex');

/** The root that a path leads to from a leaf; undefined when the path does not fit the tree's size. */
function rootFromPath(leaf: Buffer, leafIndex: number, size: number, path: readonly Buffer[]): Buffer | undefined {
  if (leafIndex >= size) return undefined;
  let node = BigInt(leafIndex);
  let last = BigInt(size - 1);
  let root = leaf;
  for (const sibling of path) {
    if (last === 0n) return undefined;
    if (node % 2n === 1n || node === last) {
      root = pair(sibling, root);
      while (node % 2n === 0n && node !== 0n) {
        node >>= 1n;
        last >>= 1n;
      }
    } else {
      root = pair(root, sibling);
    }
    node >>= 1n;
    last >>= 1n;
  }
  return last === 0n ? root : undefined;
}

/** Whether the tree with the first root is the beginning of the tree with the second. */
export function isConsistent(
  from: { readonly size: number; readonly root: Buffer },
  to: { readonly size: number; readonly root: Buffer },
  path: readonly Buffer[],
): boolean {
  if (from.size > to.size) return false;
  if (from.size === to.size) return path.length === 0 && from.root.equals(to.root);
  if (from.size === 0) return path.length === 0;
  const isPowerOfTwo = (BigInt(from.size) & BigInt(from.size - 1)) === 0n;
  const [first, ...rest] = isPowerOfTwo ? [from.root, ...path] : path;
  if (!first) return false;
  let node = BigInt(from.size - 1);
  let last = BigInt(to.size - 1);
  while (node % 2n === 1n) {
    node >>= 1n;
    last >>= 1n;
  }
  let old = first;
  let recent = first;
  for (const hash of rest) {
    if (last === 0n) return false;
    if (node % 2n === 1n || node === last) {
      old = pair(hash, old);
      recent = pair(hash, recent);
      while (node % 2n === 0n && node !== 0n) {
        node >>= 1n;
        last >>= 1n;
      }
    } else {
      recent = pair(recent, hash);
    }
    node >>= 1n;
    last >>= 1n;
  }
  return last === 0n && old.equals(from.root) && recent.equals(to.root);
}

/** Ed25519; the public key is 32 bytes in base64, as the service gives it. */
export function isSigned({ logId, size, rootHash, at, signature }: CheckpointFile, publicKey: string): boolean {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const text = ['store-management checkpoint v1', logId, String(size), rootHash, at].join('\n');
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
}

/** The last member of the metadata, which is put there when the rest has been hashed. */
const HASH_MEMBER = /,"hash":"([0-9a-f]{64}|[\w-]{43})"\}$/;

/** The hash that an event names as its own, and the one that follows from all that it says and the event before it. */
function hashesOf({ id, type, data, meta }: ProofFile['event'], previousHash: string) {
  const named = HASH_MEMBER.exec(meta)?.[1] ?? '';
  const text = [previousHash, id, type, data, meta.replace(HASH_MEMBER, '}')].join('\n');
  return { named, worked: digest(Buffer.from(text)).toString(named.length === 64 ? 'hex' : 'base64url') };
}

/** What is wrong with a proof of inclusion; nothing when it holds. */
export function proofFaults(proof: ProofFile, publicKey?: string): readonly string[] {
  const { event, previousHash, leafIndex, size, path, checkpoint } = proof;
  const { named, worked } = hashesOf(event, previousHash);
  const leaf = digest(Uint8Array.of(0), Buffer.from(`${event.stream}\n${String(event.revision)}\n${named}`));
  const root = rootFromPath(leaf, leafIndex, size, path.map(bytes));
  const faults: string[] = [];
  if (named !== worked) faults.push('the event does not say what its hash was made of');
  if (leaf.toString('hex') !== proof.leafHash) faults.push('leafHash is not the hash of the event');
  if (checkpoint.size !== size) faults.push('the checkpoint is of another size');
  if (root?.toString('hex') !== checkpoint.rootHash)
    faults.push('the path does not lead to the root of the checkpoint');
  if (publicKey !== undefined && !isSigned(checkpoint, publicKey))
    faults.push('the checkpoint is not signed by that key');
  return faults;
}
