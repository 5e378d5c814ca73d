import { useEffect, useRef, useState } from 'preact/hooks';
import { refreshKinds } from '../client/queries.js';
import { isoDay } from '../values/formats.js';

const LOOKED_AT_EVERY_MILLISECONDS = 60_000;

/** A page that stays open over midnight is drawn and read anew: what it shows of today, and what is late or over by then. */
export function useNewDays(): void {
  const [today, setToday] = useState(isoDay());
  const read = useRef(today);
  useEffect(() => {
    const look = (): void => {
      setToday(isoDay());
    };
    const looking = setInterval(look, LOOKED_AT_EVERY_MILLISECONDS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(looking);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  useEffect(() => {
    if (read.current === today) return;
    read.current = today;
    void refreshKinds();
  }, [today]);
}
