type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The members that say something, without those that are undefined. */
export const defined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
