import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Permission } from '../client/session.js';
import { useMay } from '../client/session.js';
import { isAnythingHeld } from './leaving.js';
import { Nowhere } from './nowhere.js';

/**
 * What only some may open, also for who comes by its address. Where somebody may no longer, what they type in, or have under way,
 * stays until they leave: the service refuses to take it, and nothing of it is gone without a word.
 */
export function Allowed({ when, children }: { readonly when: boolean; readonly children: ComponentChildren }) {
  const [place] = useLocation();
  const opened = useRef<string>();
  if (when) opened.current = place;
  else if (!isAnythingHeld()) opened.current = undefined;
  return opened.current === place ? <>{children}</> : <Nowhere reason="notAllowed" />;
}

export function Permitted({ to, children }: { readonly to: Permission; readonly children: ComponentChildren }) {
  return <Allowed when={useMay()(to)}>{children}</Allowed>;
}
