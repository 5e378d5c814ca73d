import { useEffect } from 'preact/hooks';
import { readSession } from './api.js';

/** Another tab or device of the same person may have changed what is known of them: who comes back sees it as it is. */
export function useLookingAgain(): void {
  useEffect(() => {
    const look = () => void readSession();
    look();
    addEventListener('focus', look);
    return () => {
      removeEventListener('focus', look);
    };
  }, []);
}
