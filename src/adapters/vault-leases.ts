import type { Clock } from '../kernel/values/clock.js';
import type { Lease, Leases } from '../ports/leases.js';
import type { Vault } from '../ports/vault.js';

const KIND = 'lease';

/** What a lease's row holds; it outlives the lease, so that the fencing number goes on growing. */
interface LeaseValue {
  readonly holder: string;
  readonly fence: number;
  readonly until: number;
}

interface LeaseRow {
  readonly version: number;
  readonly value: LeaseValue;
}

/** Leases kept as vault rows: every step is a compare-and-set, so that of two who try one wins. */
export class VaultLeases implements Leases {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async acquire(name: string, holder: string, milliseconds: number): Promise<Lease | undefined> {
    const row = await this.vault.get(KIND, name);
    const held = row?.value as LeaseValue | undefined;
    const now = this.clock.now();
    if (held && held.holder !== holder && held.until > now) return undefined;
    // It grows even when the same holder comes back: what it began under its earlier lease is late as well.
    const value = { holder, fence: (held?.fence ?? 0) + 1, until: now + milliseconds };
    const taken = await this.store(name, row?.version ?? 0, value);
    return taken && new VaultLease(this, this.clock, name, milliseconds, taken);
  }

  /** Undefined when somebody else changed the row meanwhile. */
  async store(name: string, version: number, value: LeaseValue): Promise<LeaseRow | undefined> {
    const expected = version === 0 ? 'absent' : version;
    const stored = await this.vault.write([{ kind: KIND, id: name, value, expected }]);
    return stored ? { version: version + 1, value } : undefined;
  }
}

class VaultLease implements Lease {
  readonly fence: number;
  private row: LeaseRow | undefined;

  constructor(
    private readonly leases: VaultLeases,
    private readonly clock: Clock,
    readonly name: string,
    private readonly milliseconds: number,
    row: LeaseRow,
  ) {
    this.fence = row.value.fence;
    this.row = row;
  }

  async renew(): Promise<boolean> {
    const now = this.clock.now();
    if (!this.row || this.row.value.until <= now) return false;
    const { version, value } = this.row;
    this.row = await this.leases.store(this.name, version, { ...value, until: now + this.milliseconds });
    return this.row !== undefined;
  }

  async release(): Promise<void> {
    if (!this.row) return;
    const { version, value } = this.row;
    this.row = undefined;
    await this.leases.store(this.name, version, { ...value, until: 0 });
  }
}
