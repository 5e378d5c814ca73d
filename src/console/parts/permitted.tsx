import type { ComponentChildren } from 'preact';
import type { Permission } from '../client/session.js';
import { useMay } from '../client/session.js';
import { Nowhere } from './nowhere.js';

/** What only some may do, also for who comes by its address. */
export function Permitted({ to, children }: { readonly to: Permission; readonly children: ComponentChildren }) {
  return useMay()(to) ? <>{children}</> : <Nowhere reason="notAllowed" />;
}
