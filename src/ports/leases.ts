/** One holder at a time; a late holder is recognised by its fencing number. */
export interface Lease {
  readonly name: string;
  /** Grows with every change of holder. */
  readonly fence: number;
  /** False once it was lost or has run out. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export interface Leases {
  /** Undefined while another holds it. */
  acquire(name: string, holder: string, milliseconds: number): Promise<Lease | undefined>;
}
