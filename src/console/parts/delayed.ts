import { useEffect, useState } from 'preact/hooks';

/** A value once it has stood still for a moment, so that a search is not asked for every letter. */
export function useDelayed<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(value);
    }, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  }, [value, milliseconds]);
  return settled;
}
