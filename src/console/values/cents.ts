/** A quantity has six decimals, and a price is whole cents: their product in cents has no more than these. */
const DECIMALS = 6;

/** An amount in cents as the service rounds it: half up, also where a binary fraction lies a hair below the half. */
export const cents = (value: number): number => Math.round(Number((value * 100).toFixed(DECIMALS)));
