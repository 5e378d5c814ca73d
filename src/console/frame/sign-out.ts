import { api, body } from '../client/api.js';
import { queries, useCommand } from '../client/queries.js';
import { setSession } from '../client/session.js';

/** Ends the session of this browser; nothing of what it has read stays. */
export const useSignOut = (onDone?: () => void) =>
  useCommand({
    send: () => body(api.POST('/auth/logout')),
    kinds: [],
    onDone() {
      queries.clear();
      setSession({ kind: 'none' });
      onDone?.();
    },
  });
