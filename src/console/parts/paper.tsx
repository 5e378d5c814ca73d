import type { ComponentChildren } from 'preact';
import { createPortal } from 'preact/compat';

/** What is meant for paper alone, at the end of the page. */
export function Paper({ children }: { readonly children: ComponentChildren }) {
  const place = document.getElementById('content');
  return place && createPortal(<div class="paper">{children}</div>, place);
}
