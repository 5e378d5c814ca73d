import { Rejection, notFoundAt } from '../../../kernel/events/rejection.js';
import type { VariantFacts } from '../../contracts/catalogue.js';
import type { Formula } from '../events.js';
import { COMPONENT_INACTIVE, RECIPE_CHANGED, VARIANT_NOT_ALLOWED } from '../rejections.js';

/** What the catalogue said of the variants of a formula before it is decided on. */
export type Facts = ReadonlyMap<string, VariantFacts | 'unknown'>;

/** Undefined where the catalogue knows no such variant. */
export function factsOf(facts: Facts, variantId: string): VariantFacts | undefined {
  const found = facts.get(variantId);
  // Nobody asked: the formula in force is another than the one that was read.
  if (found === undefined) throw new Rejection(RECIPE_CHANGED);
  return found === 'unknown' ? undefined : found;
}

interface Place {
  readonly path: string;
  readonly variantId: string;
}

interface Variants extends Pick<Formula, 'finishedVariantId'> {
  readonly items: readonly { readonly componentVariantId: string }[];
  readonly byproducts: readonly { readonly variantId: string }[];
}

const componentPlaces = ({ items }: Pick<Variants, 'items'>): readonly Place[] =>
  items.map(({ componentVariantId }, index) => ({
    path: `items[${String(index)}].componentVariantId`,
    variantId: componentVariantId,
  }));

/** Every variant of a formula, with its place in a request. */
export const placesOf = (formula: Variants): readonly Place[] => [
  { path: 'finishedVariantId', variantId: formula.finishedVariantId },
  ...componentPlaces(formula),
  ...formula.byproducts.map(({ variantId }, index) => ({ path: `byproducts[${String(index)}].variantId`, variantId })),
];

/** The places whose variant is no longer, or never was, in the catalogue. */
export const unknownPlaces = (formula: Formula, facts: Facts): readonly Place[] =>
  placesOf(formula).filter(({ variantId }) => !factsOf(facts, variantId));

const errorsAt = (places: readonly Place[], message: string) => ({
  errors: places.map(({ path }) => ({ path, message })),
});

/** All variants exist and can be stocked, and the components are active. */
export function expectUsable(formula: Formula, facts: Facts): void {
  const unknown = unknownPlaces(formula, facts);
  if (unknown.length > 0) throw notFoundAt(...unknown.map(({ path }) => path));
  const unfit = placesOf(formula).filter(({ variantId }) => {
    const variant = factsOf(facts, variantId);
    return variant?.productType === 'SERVICE' || variant?.components !== undefined;
  });
  if (unfit.length > 0) {
    throw new Rejection(VARIANT_NOT_ALLOWED, undefined, errorsAt(unfit, 'is a service or a kit'));
  }
  const inactive = componentPlaces(formula).filter(({ variantId }) => factsOf(facts, variantId)?.active !== true);
  if (inactive.length > 0) throw new Rejection(COMPONENT_INACTIVE, undefined, errorsAt(inactive, 'is not active'));
}
