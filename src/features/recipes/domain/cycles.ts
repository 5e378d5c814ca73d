/** Whether something made of `components` needs `product` itself, through however many recipes. */
export function needsItself(
  product: string,
  components: Iterable<string>,
  componentsOf: (variantId: string) => Iterable<string>,
): boolean {
  const needed = new Set(components);
  // What is added to a set while it is walked is walked as well.
  for (const variantId of needed) {
    if (variantId === product) return true;
    for (const component of componentsOf(variantId)) needed.add(component);
  }
  return false;
}
