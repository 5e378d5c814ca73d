import { api, body } from './api.js';
import { queries, useCommand, useRead } from './queries.js';
import type { Me } from './session.js';
import { setSession } from './session.js';

/** The stores that somebody is at work in. */
export const useStores = (when = true) =>
  useRead({
    key: ['my-stores'],
    kinds: ['user'],
    when,
    read: (signal) => body(api.GET('/auth/my-stores', { signal })),
  });

/** Leads on into another one, in which this tab then is. */
export const useSwitchStore = (onDone?: (me: Me) => void) =>
  useCommand({
    send: (storeSlug: string) => body(api.POST('/auth/switch-store', { body: { storeSlug } })),
    kinds: [],
    onDone({ user }) {
      queries.clear();
      onDone?.(user);
      setSession({ kind: 'signed-in', me: user });
    },
  });
