import type { Position, StoredEvent } from '../../ports/event-store.js';
import type { Applier } from './applier.js';
import type { Track } from './track.js';

/** So long checkpoints may stand still while nothing comes that concerns their collections. */
const UNSAVED_MS = 1_000;

interface PassingOptions {
  readonly applier: Pick<Applier, 'touchedBy' | 'pass'>;
  readonly tracks: readonly Track[];
  /** Where the last event that has come stands. */
  readonly end: () => Position;
  /** Whether other processes look at the checkpoints. */
  readonly shared: boolean;
  readonly onError?: (error: unknown) => void;
}

/**
 * Lets live collections pass what does not concern them as soon as it comes, without a write: while nothing but sales is written, nobody who reads
 * customers waits. Their checkpoints follow with what is written for others.
 */
export class Passing {
  private readonly concernedBy = new Map<string, readonly Track[]>();

  constructor(private readonly options: PassingOptions) {}

  came(events: readonly StoredEvent[]): void {
    for (const { type, position } of events) {
      for (const track of this.concerned(type)) if (position > track.wants) track.wants = position;
    }
    this.letPass();
  }

  /** Whoever has taken all that concerns it shows everything that has come. */
  letPass(): void {
    for (const track of this.options.tracks) {
      if (track.stage === 'live' && track.position >= track.wants) track.position = this.options.end();
    }
  }

  /** Those whose checkpoints go along to a position when these tracks take what stands before it: seldom, where nobody looks at them. */
  along(taking: readonly Track[], position: Position): readonly Track[] {
    const { tracks, shared } = this.options;
    const since = performance.now() - (shared ? 0 : UNSAVED_MS);
    const isDue = (track: Track): boolean =>
      track.stage === 'live' && track.position >= position && track.saved < position && track.savedAt <= since;
    return tracks.filter((track) => isDue(track) && !taking.includes(track));
  }

  /** At the end, so that nothing of it need be looked at again after the next start. */
  async save(): Promise<void> {
    const { applier, tracks, onError } = this.options;
    for (const { stage, name, position, saved } of tracks) {
      if (stage !== 'live' || saved >= position) continue;
      try {
        await applier.pass(name, position);
      } catch (error) {
        onError?.(error);
        return;
      }
    }
  }

  private concerned(type: string): readonly Track[] {
    let tracks = this.concernedBy.get(type);
    if (!tracks) {
      const names = new Set(this.options.applier.touchedBy([type]));
      tracks = this.options.tracks.filter(({ name }) => names.has(name));
      this.concernedBy.set(type, tracks);
    }
    return tracks;
  }
}

export function noteSaved(track: Track, position: Position): void {
  track.saved = position;
  track.savedAt = performance.now();
}
