import { useNames } from '../../client/names.js';

interface Taken {
  readonly variantId: string;
  /** What the line says that was sold. */
  readonly sold: string;
}

/** Names goods before their lot where they are not what was sold itself, but a part of the kit that was. */
export function usePartNames(taken: readonly Taken[]): (one: Taken) => string {
  const nameOf = useNames(taken.map(({ variantId, sold }) => (variantId === sold ? null : variantId)));
  return ({ variantId, sold }) => {
    const name = variantId === sold ? undefined : nameOf(variantId)?.description;
    return name === undefined ? '' : `${name}, `;
  };
}
