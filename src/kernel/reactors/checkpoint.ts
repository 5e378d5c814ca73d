import { z } from 'zod';
import type { EventStore, Position } from '../../ports/event-store.js';
import { START } from '../../ports/event-store.js';
import type { Vault, VaultRow, VaultWrite } from '../../ports/vault.js';
import { newVersion } from '../../ports/vault.js';
import { grouped } from '../values/grouped.js';
import { Turns } from '../values/turns.js';
import type { Reactor } from './reactor.js';
import { ReactorStopped } from './reactor.js';

const KIND = 'reactor';
/** Tries of one write; another is needed only where an earlier try stored a part of its rows. */
const TRIES = 5;

const stored = z.object({ logId: z.string(), position: z.string(), fence: z.int() });
type Stored = z.output<typeof stored>;

/** Another process runs the reactor by now. */
export class CheckpointLost extends Error {
  constructor(name: string) {
    super(`another process runs the reactor ${name}`);
  }
}

interface CheckpointServices {
  readonly vault: Vault;
  readonly eventStore: Pick<EventStore, 'logId' | 'head' | 'isPosition'>;
}

/**
 * How far a reactor is, kept in the vault and written together with its effects. It carries the fencing number of the lease: whoever
 * takes the reactor over writes a greater one first, and from then on every write of the process before is refused.
 */
export class ReactorCheckpoint {
  private readonly turns = new Turns();

  private constructor(
    private readonly services: CheckpointServices,
    private readonly name: string,
    private readonly fence: number,
    private version: number,
    private reached: Position,
  ) {}

  get position(): Position {
    return this.reached;
  }

  /** Takes the reactor over. Throws CheckpointLost when somebody with a greater fence did, and ReactorStopped when it speaks of another log. */
  static async take(
    services: CheckpointServices,
    { name, begins }: Pick<Reactor, 'name' | 'begins'>,
    fence: number,
  ): Promise<ReactorCheckpoint> {
    const { vault, eventStore } = services;
    for (let tried = 0; tried < TRIES; tried++) {
      const row = await vault.get(KIND, name);
      // Read after the checkpoint: another process may be moving it.
      const head = await eventStore.head();
      const known = row && stored.parse(row.value);
      if (known && known.fence > fence) throw new CheckpointLost(name);
      if (known) expectToFit(name, known, eventStore, head);
      const position = known?.position ?? (begins === 'at the first event' ? START : head);
      const value: Stored = { logId: eventStore.logId, position, fence };
      const version = row === undefined ? newVersion() : row.version + 1;
      const write = { kind: KIND, id: name, value, expected: row?.version ?? 'absent', firstVersion: version } as const;
      if (await vault.write([write])) {
        return new ReactorCheckpoint(services, name, fence, version, position);
      }
    }
    throw new CheckpointLost(name);
  }

  /**
   * Stores effects and where they bring the reactor; true when one write stored all of it. Throws CheckpointLost, and then no checkpoint was moved.
   */
  advance(position: Position, rows: readonly VaultWrite[]): Promise<boolean> {
    return this.turns.take(() => this.advanceNow(position, rows));
  }

  private async advanceNow(position: Position, rows: readonly VaultWrite[]): Promise<boolean> {
    if (position <= this.reached) return false;
    // Where rows are written one by one, whoever is late is to notice before the first.
    if (!this.services.vault.atomic && rows.length > 0) await this.own();
    let missing = rows;
    for (let tried = 0; tried < TRIES; tried++) {
      if (await this.write(position, missing)) return tried === 0;
      const own = await this.own();
      this.version = own.version;
      this.reached = own.position;
      if (own.position >= position) return false;
      missing = await this.withoutStored(missing);
    }
    throw new Error(`the effects of the reactor ${this.name} could not be stored`);
  }

  private async write(position: Position, rows: readonly VaultWrite[]): Promise<boolean> {
    const { vault, eventStore } = this.services;
    const value: Stored = { logId: eventStore.logId, position, fence: this.fence };
    const written = await vault.write([...rows, { kind: KIND, id: this.name, value, expected: this.version }]);
    if (written) {
      this.version += 1;
      this.reached = position;
    }
    return written;
  }

  /** The checkpoint as it lies there, which a write whose outcome was unknown may have moved. */
  private async own(): Promise<{ readonly version: number; readonly position: Position }> {
    const row = await this.services.vault.get(KIND, this.name);
    const known = row && stored.parse(row.value);
    if (known?.fence !== this.fence) throw new CheckpointLost(this.name);
    return { version: row?.version ?? 0, position: known.position };
  }

  /** Rows that an earlier try has stored are effects that took place: they are not made again. */
  private async withoutStored(rows: readonly VaultWrite[]): Promise<readonly VaultWrite[]> {
    const there = new Set<string>();
    const keyOf = ({ kind, id }: Pick<VaultRow, 'kind' | 'id'>): string => `${kind}/${id}`;
    for (const [kind, ofKind] of grouped(rows, (row) => row.kind)) {
      const ids = ofKind.map(({ id }) => id);
      for (const row of await this.services.vault.getMany(kind, ids)) there.add(keyOf(row));
    }
    return rows.filter((row) => row.expected !== 'absent' || !there.has(keyOf(row)));
  }
}

function expectToFit(
  name: string,
  { logId, position }: Stored,
  eventStore: CheckpointServices['eventStore'],
  head: Position,
): void {
  if (logId !== eventStore.logId) {
    throw new ReactorStopped(`the reactor ${name} has followed the log ${logId}, and this is ${eventStore.logId}`);
  }
  if (position !== START && (!eventStore.isPosition(position) || position > head)) {
    throw new ReactorStopped(`the reactor ${name} is at ${position}, and the log ends at ${head || 'its start'}`);
  }
}
