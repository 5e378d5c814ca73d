import { useEffect } from 'preact/hooks';
import { useMe } from '../client/session.js';
import { boxName, keptItems } from '../screens/till/kept-items.js';

/** Sends what the till had not sent when the browser was closed, whatever screen is opened next. */
export function useUnsentSales(): void {
  const { storeSlug, id } = useMe();
  useEffect(() => {
    if (keptItems(boxName(storeSlug, id)).length === 0) return;
    // Without a connection the till loads it, and sends what waits.
    void import('../screens/till/outbox.js').then(
      ({ outboxOf }) => {
        outboxOf(storeSlug, id).wake();
      },
      () => undefined,
    );
  }, [storeSlug, id]);
}
