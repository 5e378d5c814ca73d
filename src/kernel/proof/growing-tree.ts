import { EMPTY_ROOT, leafHash, nodeHash } from './merkle.js';

/** The roots of full subtrees, from the largest to the smallest, with their levels. */
type Edge = readonly (readonly [level: number, root: string])[];

/** What a tree goes on from. */
export interface TreeState {
  readonly size: number;
  readonly edge: Edge;
}

/** A Merkle tree of RFC 6962 of which only the right edge is kept: enough for its root after each leaf. */
export class GrowingTree {
  size: number;
  private readonly edge: { readonly level: number; readonly root: Buffer }[];

  constructor(from: TreeState = { size: 0, edge: [] }) {
    this.size = from.size;
    this.edge = from.edge.map(([level, root]) => ({ level, root: Buffer.from(root, 'hex') }));
  }

  add(stream: string, revision: number, link: string): void {
    let level = 0;
    let root = leafHash(Buffer.from(`${stream}\n${String(revision)}\n${link}`));
    for (let last = this.edge.at(-1); last?.level === level; last = this.edge.at(-1)) {
      this.edge.pop();
      root = nodeHash(last.root, root);
      level += 1;
    }
    this.edge.push({ level, root });
    this.size += 1;
  }

  root(): string {
    const roots = this.edge.map(({ root }) => root).reverse();
    const [first, ...larger] = roots;
    if (!first) return EMPTY_ROOT.toString('hex');
    return larger.reduce((right, left) => nodeHash(left, right), first).toString('hex');
  }

  state(): TreeState {
    return { size: this.size, edge: this.edge.map(({ level, root }) => [level, root.toString('hex')]) };
  }
}
