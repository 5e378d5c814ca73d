import { api, body } from './api.js';
import { useRead } from './queries.js';

/** The store of who is signed in, for what needs its name, its zone or what it has set up. */
export const useOwnStore = () =>
  useRead({ key: ['store'], kinds: ['store'], read: (signal) => body(api.GET('/store', { signal })) });
