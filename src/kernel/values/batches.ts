/** Parts of a limited size, each made when the one before is done with. */
export function* batchesOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let first = 0; first < all.length; first += size) yield all.slice(first, first + size);
}

/** Asks for many in parts of a limited size, all at once; the answers stand in the order of the parts. */
export async function inBatches<A, B>(
  all: readonly A[],
  size: number,
  ask: (some: readonly A[]) => Promise<readonly B[]>,
): Promise<readonly B[]> {
  if (all.length === 0) return [];
  if (all.length <= size) return ask(all);
  return (await Promise.all(Array.from(batchesOf(all, size), ask))).flat();
}
