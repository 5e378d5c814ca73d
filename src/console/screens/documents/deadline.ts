import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import type { FiscalDocument } from './remedies.js';

const MINUTE = 60_000;

/** Until when a document may be cancelled; undefined while that is not known, or where it cannot be. */
export function useDeadline({ status, model, authorizedAt }: FiscalDocument): Date | undefined {
  const store = useRead({
    key: ['store', 'cancel-minutes'],
    kinds: ['store'],
    when: status === 'AUTHORIZED',
    every: MINUTE,
    read: async (signal) => (await body(api.GET('/store', { signal }))).fiscal.cancelMinutes,
  });
  if (status !== 'AUTHORIZED' || !authorizedAt || !store.data) return undefined;
  const minutes = store.data[model === 55 ? '55' : '65'];
  return new Date(Date.parse(authorizedAt) + minutes * MINUTE);
}
