import { useEffect, useState } from 'preact/hooks';
import { api } from '../client/api.js';
import { refreshKinds } from '../client/queries.js';
import { session } from '../client/session.js';

const BEAT_MILLISECONDS = 60_000;
const ASKED_AGAIN_AFTER_MILLISECONDS = 5_000;
/** Less is no day and hardly an hour; a clock is off by minutes soon where nothing sets it. */
const TOLERATED_MILLISECONDS = 5 * 60_000;

interface Clocks {
  readonly here: number;
  readonly there: number;
}

/** What two clocks show that are apart; the service's tells a time between asking and answer. */
function apart(there: number, askedAt: number, answeredAt: number): Clocks | undefined {
  const isBetween = there >= askedAt - TOLERATED_MILLISECONDS && there <= answeredAt + TOLERATED_MILLISECONDS;
  return Number.isNaN(there) || isBetween ? undefined : { here: answeredAt, there };
}

interface Presence {
  /** Undefined where the clocks of device and service agree. */
  readonly clocks: Clocks | undefined;
  /** Since when the service does not answer: what others do is not shown from then on. */
  readonly silentSince: number | undefined;
}

/** Says now and then that somebody is there, and learns from the answer how late it is, or that there is none. */
export function usePresence(): Presence {
  const [clocks, setClocks] = useState<Clocks>();
  const [silentSince, setSilentSince] = useState<number>();
  const isSilent = silentSince !== undefined;
  useEffect(() => {
    const beat = async () => {
      if (document.visibilityState !== 'visible' || session().kind !== 'signed-in') return;
      const askedAt = Date.now();
      const answer = await api.POST('/auth/presence').catch(() => undefined);
      if (!answer || answer.response.status >= 500) {
        setSilentSince((before) => before ?? askedAt);
        return;
      }
      setSilentSince(undefined);
      setClocks(apart(Date.parse(answer.response.headers.get('date') ?? ''), askedAt, Date.now()));
    };
    const tryBeat = () => void beat();
    tryBeat();
    const beating = setInterval(tryBeat, isSilent ? ASKED_AGAIN_AFTER_MILLISECONDS : BEAT_MILLISECONDS);
    document.addEventListener('visibilitychange', tryBeat);
    addEventListener('online', tryBeat);
    addEventListener('offline', tryBeat);
    return () => {
      clearInterval(beating);
      document.removeEventListener('visibilitychange', tryBeat);
      removeEventListener('online', tryBeat);
      removeEventListener('offline', tryBeat);
      if (isSilent) void refreshKinds();
    };
  }, [isSilent]);
  return { clocks, silentSince };
}
