/** What the whole log was at a moment, as its installation signed it. */
export interface SignedCheckpoint {
  readonly logId: string;
  readonly size: number;
  readonly rootHash: string;
  readonly at: string;
  readonly signature: string;
}

/** Checkpoints of past days, kept where they are not changed with the log. */
export interface KeptCheckpoints {
  /** By day, the first day first. */
  all(): Promise<readonly SignedCheckpoint[]>;
  has(day: string): Promise<boolean>;
  /** Whole or not at all. */
  keep(day: string, checkpoint: SignedCheckpoint): Promise<void>;
}
