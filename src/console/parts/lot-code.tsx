import type { ComponentChildren } from 'preact';
import { NONE } from '../values/formats.js';

/** Longer ones are broken before they are cut off. */
const STAYS_WHOLE = 24;

/** A lot's code in a row of a table, not broken at its hyphens; what to say of a lot without one may follow. */
export const wholeCode = (code: string | null | undefined, otherwise = NONE): ComponentChildren =>
  code ? <span class={code.length <= STAYS_WHOLE ? 'whole' : undefined}>{code}</span> : otherwise;
