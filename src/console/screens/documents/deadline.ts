import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { aheadOf } from '../../client/service-clock.js';
import type { FiscalDocument } from './remedies.js';

const MINUTE = 60_000;

interface Deadline {
  readonly at: Date;
  readonly minutesLeft: number;
}

/** Until when a document may be cancelled, by the clock of the service; undefined while that is not known, or where it cannot be. */
export function useDeadline({ status, model, authorizedAt }: FiscalDocument): Deadline | undefined {
  const store = useRead({
    key: ['store', 'cancel-minutes'],
    kinds: ['store'],
    when: status === 'AUTHORIZED',
    every: MINUTE,
    read: async (signal) => {
      const answer = api.GET('/store', { signal });
      const { fiscal } = await body(answer);
      return { minutes: fiscal.cancelMinutes, ahead: aheadOf((await answer).response) };
    },
  });
  if (status !== 'AUTHORIZED' || !authorizedAt || !store.data) return undefined;
  const { minutes, ahead } = store.data;
  const allowed = minutes[model === 55 ? '55' : '65'];
  const at = new Date(Date.parse(authorizedAt) + allowed * MINUTE);
  const left = Math.ceil((at.getTime() + ahead - Date.now()) / MINUTE);
  // An answer says its time to the second: of the first of all minutes there would be one more than are allowed.
  return { at, minutesLeft: Math.min(left, allowed) };
}
