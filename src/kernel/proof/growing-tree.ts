import { EMPTY_ROOT, bytesOf, leafDigest, nodeDigest } from './merkle.js';

/** The roots of full subtrees, from the largest to the smallest, with their levels. */
type Edge = readonly (readonly [level: number, root: string])[];

/** What a tree goes on from. */
export interface TreeState {
  readonly size: number;
  readonly edge: Edge;
}

const hexOf = (digest: string): string => bytesOf(digest).toString('hex');

/** A Merkle tree of RFC 6962 of which only the right edge is kept: enough for its root after each leaf. */
export class GrowingTree {
  size: number;
  /** The roots as digests. */
  private readonly edge: { readonly level: number; readonly root: string }[];

  constructor(from: TreeState = { size: 0, edge: [] }) {
    this.size = from.size;
    this.edge = from.edge.map(([level, root]) => ({ level, root: Buffer.from(root, 'hex').toString('latin1') }));
  }

  add(stream: string, revision: number, link: string): void {
    let level = 0;
    let root = leafDigest(`${stream}\n${String(revision)}\n${link}`);
    for (let last = this.edge.at(-1); last?.level === level; last = this.edge.at(-1)) {
      this.edge.pop();
      root = nodeDigest(last.root, root);
      level += 1;
    }
    this.edge.push({ level, root });
    this.size += 1;
  }

  root(): string {
    const roots = this.edge.map(({ root }) => root).reverse();
    const [first, ...larger] = roots;
    if (first === undefined) return EMPTY_ROOT.toString('hex');
    return hexOf(larger.reduce((right, left) => nodeDigest(left, right), first));
  }

  state(): TreeState {
    return { size: this.size, edge: this.edge.map(({ level, root }) => [level, hexOf(root)]) };
  }
}
