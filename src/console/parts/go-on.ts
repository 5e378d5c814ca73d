import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

/**
 * Leads on once something is done. Whoever has left meanwhile, as on a slow line, is led nowhere from where they are by then, also where that is
 * the same form once more. A record that is gone, as one that is deleted, is shown no more where it was: nobody has left it.
 */
export function useGoOn(): (to: string, how?: { readonly replace: boolean }) => void {
  const [, go] = useLocation();
  const here = useRef(location.pathname);
  const hasLeft = useRef(false);
  here.current = location.pathname;
  const isElsewhere = () => location.pathname !== here.current;
  useEffect(
    () => () => {
      hasLeft.current = isElsewhere();
    },
    [],
  );
  return (to, how) => {
    if (!hasLeft.current && !isElsewhere()) go(to, how);
  };
}
