import { createHash } from 'node:crypto';

const hash = (...pieces: readonly Uint8Array[]): Buffer => {
  const digest = createHash('sha256');
  for (const piece of pieces) digest.update(piece);
  return digest.digest();
};

/** A Merkle tree of RFC 6962 of which only the right edge is kept: enough for its root after each leaf. */
export class GrowingTree {
  /** The roots of full subtrees, from the largest to the smallest, with their levels. */
  private readonly edge: { readonly level: number; readonly root: Buffer }[] = [];
  size = 0;

  add(stream: string, revision: number, link: string): void {
    let level = 0;
    let root = hash(Uint8Array.of(0), Buffer.from(`${stream}\n${String(revision)}\n${link}`));
    for (let last = this.edge.at(-1); last?.level === level; last = this.edge.at(-1)) {
      this.edge.pop();
      root = hash(Uint8Array.of(1), last.root, root);
      level += 1;
    }
    this.edge.push({ level, root });
    this.size += 1;
  }

  root(): string {
    const roots = this.edge.map(({ root }) => root).reverse();
    const [first, ...larger] = roots;
    if (!first) return hash().toString('hex');
    return larger.reduce((right, left) => hash(Uint8Array.of(1), left, right), first).toString('hex');
  }
}
