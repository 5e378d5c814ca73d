import type { ComponentChildren } from 'preact';

/** What was asked for before stands there, told apart, until what is asked for now has come: on a slow line that takes a while. */
export const outdated = (isOutdated = false, look = '') =>
  ({ class: isOutdated ? `${look} outdated` : look, 'aria-busy': isOutdated }) as const;

export function Outdated({ when, children }: { readonly when: boolean; readonly children: ComponentChildren }) {
  return <div {...outdated(when)}>{children}</div>;
}
