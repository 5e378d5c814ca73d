/** The program adds the names that its features declare, so that a name nobody declares is a type error. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface DeclaredPermissions {}

type NameOf<D> = D extends { readonly name: infer N extends string } ? N : never;

/** What a credential may do: `products.view`. A route names the one that it needs. */
export type Permission = NameOf<DeclaredPermissions>;

/** A permission has a point in its name; the other things that a route may ask for have none. */
export const isPermission = (text: string): text is Permission => text.includes('.');
