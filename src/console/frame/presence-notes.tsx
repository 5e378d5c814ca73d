import { moment } from '../values/formats.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { usePresence } from './presence.js';

/**
 * What is today, which days are proposed and when a sale was made come from the clock of the device; and a page that has lost
 * the service shows what was, as a tablet on the wall does that nobody touches.
 */
export function PresenceNotes() {
  const t = useWords(frame);
  const { clocks, silentSince } = usePresence();
  const shown = (at: number) => moment(new Date(at).toISOString());
  return (
    <>
      {silentSince !== undefined && (
        <p class="note warn no-print" role="status">
          {t('silent', { since: shown(silentSince) })}
        </p>
      )}
      {clocks && (
        <p class="note warn no-print" role="status">
          {t('wrongClock', { here: shown(clocks.here), there: shown(clocks.there) })}
        </p>
      )}
    </>
  );
}
