import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A part of a form that is seldom wanted, folded away. What it would have to ask the service for can wait until it was open. */
export function Folded({
  summary,
  children,
}: {
  readonly summary: string;
  readonly children: (wasOpen: boolean) => ComponentChildren;
}) {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <details
      class="folded"
      onToggle={() => {
        setWasOpen(true);
      }}
    >
      <summary>{summary}</summary>
      {children(wasOpen)}
    </details>
  );
}
