/** Whether something made of `components` needs `product` itself, through however many recipes. */
export function needsItself(
  product: string,
  components: Iterable<string>,
  componentsOf: (variantId: string) => Iterable<string>,
): boolean {
  const seen = new Set<string>();
  const waiting = [...components];
  for (let variantId = waiting.pop(); variantId !== undefined; variantId = waiting.pop()) {
    if (variantId === product) return true;
    if (seen.has(variantId)) continue;
    seen.add(variantId);
    waiting.push(...componentsOf(variantId));
  }
  return false;
}
