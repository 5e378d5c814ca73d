import type { Clock } from '../kernel/values/clock.js';
import type { Lease, Leases } from '../ports/leases.js';
import type { Vault } from '../ports/vault.js';
import { newVersion } from '../ports/vault.js';

const KIND = 'lease';

/** What a lease's row holds; it outlives the lease, so that the fencing number goes on growing. */
interface LeaseValue {
  readonly holder: string;
  readonly fence: number;
  readonly until: number;
  /** How long it was given for; undefined in rows of earlier releases. */
  readonly milliseconds?: number;
}

interface LeaseRow {
  readonly version: number;
  readonly value: LeaseValue;
}

/** Leases kept as vault rows: every step is a compare-and-set, so that of two who try one wins. */
export class VaultLeases implements Leases {
  /** Leases that end later than they can: since when this process knows them as they are. */
  private readonly impossible = new Map<
    string,
    { readonly fence: number; readonly until: number; readonly since: number }
  >();

  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async acquire(name: string, holder: string, milliseconds: number): Promise<Lease | undefined> {
    const row = await this.vault.get(KIND, name);
    const held = row?.value as LeaseValue | undefined;
    const now = this.clock.now();
    if (held && held.holder !== holder && this.isHeld(name, held, now, milliseconds)) return undefined;
    // It grows even when the same holder comes back: what it began under its earlier lease is late as well.
    const value = { holder, fence: (held?.fence ?? 0) + 1, until: now + milliseconds, milliseconds };
    const taken = await this.store(name, row?.version, value);
    return taken && new VaultLease(this, this.clock, name, milliseconds, taken);
  }

  /**
   * A lease cannot end later than its whole length from now, unless its holder's clock was ahead of this one: then it counts until it has
   * not been renewed for that length. Otherwise nobody would follow a holder that died before its clock was set back.
   */
  private isHeld(name: string, held: LeaseValue, now: number, asked: number): boolean {
    const length = held.milliseconds ?? asked;
    if (held.until <= now + length) {
      this.impossible.delete(name);
      return held.until > now;
    }
    const known = this.impossible.get(name);
    if (known?.fence === held.fence && known.until === held.until) return now - known.since < length;
    this.impossible.set(name, { fence: held.fence, until: held.until, since: now });
    return true;
  }

  /** Undefined when somebody else changed the row meanwhile. */
  async store(name: string, version: number | undefined, value: LeaseValue): Promise<LeaseRow | undefined> {
    const next = version === undefined ? newVersion() : version + 1;
    const write = { kind: KIND, id: name, value, expected: version ?? 'absent', firstVersion: next } as const;
    return (await this.vault.write([write])) ? { version: next, value } : undefined;
  }
}

class VaultLease implements Lease {
  readonly fence: number;
  private row: LeaseRow | undefined;
  private renewing: Promise<boolean> | undefined;

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

  renew(): Promise<boolean> {
    this.renewing = this.renewNow();
    return this.renewing;
  }

  private async renewNow(): Promise<boolean> {
    const now = this.clock.now();
    if (!this.row || this.row.value.until <= now) return false;
    const { version, value } = this.row;
    this.row = await this.leases.store(this.name, version, { ...value, until: now + this.milliseconds });
    return this.row !== undefined;
  }

  async release(): Promise<void> {
    // A renewal that is on its way would change the row first, and nobody could have the lease until it runs out.
    await this.renewing?.catch(() => undefined);
    if (!this.row) return;
    const { version, value } = this.row;
    this.row = undefined;
    await this.leases.store(this.name, version, { ...value, until: 0 });
  }
}
