import { useEffect, useState } from 'preact/hooks';
import { api } from '../client/api.js';
import { moment } from '../values/formats.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';

const BEAT_MILLISECONDS = 60_000;
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

/** Says now and then that somebody is there, and learns from the answer how late it is. */
function usePresence(): Clocks | undefined {
  const [clocks, setClocks] = useState<Clocks>();
  useEffect(() => {
    const beat = async () => {
      if (document.visibilityState !== 'visible') return;
      const askedAt = Date.now();
      const { response } = await api.POST('/auth/presence');
      setClocks(apart(Date.parse(response.headers.get('date') ?? ''), askedAt, Date.now()));
    };
    const tryBeat = () => void beat().catch(() => undefined);
    tryBeat();
    const beating = setInterval(tryBeat, BEAT_MILLISECONDS);
    document.addEventListener('visibilitychange', tryBeat);
    return () => {
      clearInterval(beating);
      document.removeEventListener('visibilitychange', tryBeat);
    };
  }, []);
  return clocks;
}

/** What is today, which days are proposed and when a sale was made come from the clock of the device. */
export function WrongClock() {
  const t = useWords(frame);
  const clocks = usePresence();
  if (!clocks) return null;
  const shown = (at: number) => moment(new Date(at).toISOString());
  return (
    <p class="note warn no-print" role="status">
      {t('wrongClock', { here: shown(clocks.here), there: shown(clocks.there) })}
    </p>
  );
}
