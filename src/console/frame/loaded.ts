import type { FunctionComponent } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { NETWORK, Refused } from '../client/problem.js';
import type { Screen } from '../screens/screen.js';

interface Loaded {
  readonly component?: FunctionComponent;
  readonly error?: Error;
}

const RELOADED_FOR = 'reloaded-for';

const loadedBefore = new Map<string, FunctionComponent>();

const isReachable = (): Promise<boolean> =>
  fetch('/console/', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Why a part is missing. A new version of the service has new parts, and then the page is read anew, once; never without a
 * connection, as what is open would be gone.
 */
async function whyMissed(path: string, error: unknown): Promise<Error> {
  if (!(await isReachable())) return new Refused(NETWORK);
  if (sessionStorage.getItem(RELOADED_FOR) === path) return error instanceof Error ? error : new Error(String(error));
  sessionStorage.setItem(RELOADED_FOR, path);
  location.reload();
  return new Promise(() => undefined);
}

/** A screen's part, fetched once; asked for again when the connection is back. */
export function useLoaded({ path, load }: Screen): Loaded & { readonly again: () => void } {
  const known = loadedBefore.get(path);
  const [state, setState] = useState<Loaded>(known ? { component: known } : {});
  const [turn, setTurn] = useState(0);
  const again = useCallback(() => {
    setTurn((before) => before + 1);
  }, []);
  useEffect(() => {
    if (known) return;
    load().then(
      ({ default: component }) => {
        loadedBefore.set(path, component);
        if (sessionStorage.getItem(RELOADED_FOR) === path) sessionStorage.removeItem(RELOADED_FOR);
        setState({ component });
      },
      async (error: unknown) => {
        setState({ error: await whyMissed(path, error) });
      },
    );
  }, [path, turn]);
  // At once: the connection may be back before a busy page has drawn that it was gone.
  useLayoutEffect(() => {
    if (!state.error) return undefined;
    addEventListener('online', again);
    return () => {
      removeEventListener('online', again);
    };
  }, [state.error]);
  return { ...(known ? { component: known } : state), again };
}
