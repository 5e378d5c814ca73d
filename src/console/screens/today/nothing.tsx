import type { ComponentChildren } from 'preact';

/** A line that says that all is well, in place of an empty list. */
export function Nothing({
  when,
  text,
  children,
}: {
  readonly when: boolean;
  readonly text: string;
  readonly children: ComponentChildren;
}) {
  return when ? <p class="fine">{text}</p> : <>{children}</>;
}
