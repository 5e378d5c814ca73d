/** Asks for many in parts of a limited size, all at once; the answers stand in the order of the parts. */
export async function inBatches<A, B>(
  all: readonly A[],
  size: number,
  ask: (some: readonly A[]) => Promise<readonly B[]>,
): Promise<readonly B[]> {
  if (all.length === 0) return [];
  if (all.length <= size) return ask(all);
  const parts: Promise<readonly B[]>[] = [];
  for (let first = 0; first < all.length; first += size) parts.push(ask(all.slice(first, first + size)));
  return (await Promise.all(parts)).flat();
}
