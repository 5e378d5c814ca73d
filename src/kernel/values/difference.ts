/** As it is stored. Of objects whose members stand in one order. */
export const isSameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

type Given<F> = { readonly [K in keyof F]?: F[K] | undefined };

/** What differs of the members that were given, with what they were. */
export function difference<F extends object>(
  before: F,
  given: Given<F>,
): { readonly changes: Partial<F>; readonly was: Partial<F> } | undefined {
  const names = (Object.keys(given) as (keyof F)[]).filter((name) => !isSameJson(before[name], given[name]));
  if (names.length === 0) return undefined;
  const pick = (from: Given<F>) => Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<F>;
  return { changes: pick(given), was: pick(before) };
}
