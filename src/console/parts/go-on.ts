import { useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

/** Leads on once something is done. Whoever has left meanwhile, as on a slow line, is led nowhere from where they are by then. */
export function useGoOn(): (to: string, how?: { readonly replace: boolean }) => void {
  const [, go] = useLocation();
  const here = useRef(location.pathname);
  here.current = location.pathname;
  return (to, how) => {
    if (location.pathname === here.current) go(to, how);
  };
}
