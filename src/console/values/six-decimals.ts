/** A sum or difference of quantities, which have six decimals, without the rest that binary fractions leave. */
export const sixDecimals = (value: number): number => Number(value.toFixed(6));
