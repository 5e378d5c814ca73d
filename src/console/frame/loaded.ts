import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Screen } from '../screens/screen.js';

interface Loaded {
  readonly component?: FunctionComponent;
  readonly error?: unknown;
}

const loadedBefore = new Map<string, FunctionComponent>();

/** A screen's part, fetched once. A new version of the service has new parts: who misses one reads the page anew. */
export function useLoaded({ path, load }: Screen): Loaded {
  const known = loadedBefore.get(path);
  const [state, setState] = useState<Loaded>(known ? { component: known } : {});
  useEffect(() => {
    if (known) return;
    load().then(
      ({ default: component }) => {
        loadedBefore.set(path, component);
        setState({ component });
      },
      (error: unknown) => {
        if (sessionStorage.getItem('reloaded-for') === path) setState({ error });
        else {
          sessionStorage.setItem('reloaded-for', path);
          location.reload();
        }
      },
    );
  }, [path]);
  return known ? { component: known } : state;
}
