import type { Reading } from '../client/queries.js';
import { useRead } from '../client/queries.js';
import { useDelayed } from './delayed.js';

interface TypedReading<T, A> extends Pick<Reading<T>, 'key' | 'kinds'> {
  readonly when?: (asked: A) => boolean;
  readonly read: (asked: A, signal: AbortSignal) => Promise<T>;
}

/** What follows from what is being typed, asked for once that has stood still. From the first letter on, what is shown is no longer of what stands there. */
export function useTypedRead<T, A extends string | number>(
  typed: A,
  milliseconds: number,
  { key, kinds, when = () => true, read }: TypedReading<T, A>,
) {
  const asked = useDelayed(typed, milliseconds);
  const reading = useRead<T>({
    key: [...key, asked],
    kinds,
    when: when(asked),
    keep: true,
    read: (signal) => read(asked, signal),
  });
  return { ...reading, asked, isOutdated: asked !== typed || reading.isPlaceholderData };
}
