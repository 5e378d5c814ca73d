/** A lane's state beside the log, compressed in pieces of at most 512 KiB. Disposable: losing one costs time, never truth. */
export interface Snapshot {
  readonly logId: string;
  readonly version: number;
  readonly revision: number;
  readonly pieces: readonly Uint8Array[];
}

export interface Snapshots {
  /** Replaces the stream's snapshot unless the stored one is newer; a half-written one is never loaded. */
  save(stream: string, snapshot: Snapshot): Promise<void>;
  load(stream: string): Promise<Snapshot | undefined>;
}
