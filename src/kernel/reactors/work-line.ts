import type { z } from 'zod';
import type { Vault, VaultRow, VaultWrite } from '../../ports/vault.js';
import { newVersion } from '../../ports/vault.js';
import type { Clock } from '../values/clock.js';
import { pauseUntilAborted } from '../values/pause.js';
import { Slots } from './slots.js';

/** Whoever does work of several steps, such as a row and the fact that it is for, is done with it well within this time, unless the process ends in between. */
export const STEPS_TAKE = 60_000;
/** So many due rows are read at once: memory does not grow with the queue. */
const PAGE = 64;
/** So many rows that were just stored wait in a line without being read back. */
const HANDED = 256;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

interface Piece<T> {
  readonly id: string;
  readonly line: string;
  readonly task: T;
}

/** One row to be worked on. */
export interface WorkItem<T> extends Piece<T> {
  /** Aborts when the process can't wait for the work any longer; what is then thrown leaves the row as it was. */
  readonly signal: AbortSignal;
  /** Then others may work on it. */
  readonly until: number;
}

/** What the work comes to. */
export interface Outcome<T> {
  /** What the row holds from now on; undefined deletes it. */
  readonly task: T | undefined;
  /** When to work on it again; undefined ends the work. */
  readonly dueAt?: number;
}

/** What a queue is about. */
export interface Work<T extends object> {
  /** Names the kind of its rows; never changed once released. */
  readonly name: string;
  readonly task: z.ZodType<T>;
  /** How many rows of one line, and of all lines, are worked on at once. */
  readonly perLine: number;
  readonly atOnce: number;
  /** The rows of a process that is gone are worked on by others after so long; no work may take longer. */
  readonly leaseMilliseconds: number;
  /** Nothing is put off for longer; undefined where rows wait for a date. In milliseconds. */
  readonly longestWait?: number;
  /** When a row is to be forgotten. */
  expiresAt?(task: T): number | undefined;
  /** Does the work. What it throws is reported, and the row is tried again when its lease has run out. */
  work(item: WorkItem<T>): Promise<Outcome<T>>;
}

export interface WorkServices {
  readonly vault: Vault;
  readonly clock: Clock;
  /** Names this process. */
  readonly holder: string;
  /** No other process can work on these rows while this one runs. */
  readonly alone: boolean;
  onError(error: unknown): void;
  readonly onWorked?: OnWorked;
}

/** Hears how long a piece of work of a queue, or a run of a schedule, took, and whether it has to be done again. */
export type OnWorked = (name: string, outcome: 'done' | 'again' | 'failed', milliseconds: number) => void;

interface LineSurroundings<T extends object> {
  readonly work: Work<T>;
  readonly services: WorkServices;
  /** Shared by all lines of a queue. */
  readonly slots: Slots;
  /** Those of them that lines whose last work has to be done again may take. */
  readonly slotsOfFailing: Slots;
  /** Room in memory for rows that need not be read back, shared by all lines of a queue. */
  readonly room: { free: number };
  /** Those who wait for it go on together, so that what they write is one message. */
  gathered(): Promise<void>;
  /** No new work from now on. */
  readonly stopping: AbortSignal;
  /** The end of the patience with work that runs. */
  readonly ending: AbortSignal;
  /** A row has become due at a later time. */
  onPostponed(line: string, dueAt: number): void;
  onIdle(line: string): void;
}

export const kindOf = (name: string, line: string): string => (line === '' ? name : `${name}-${line}`);

/** Rows by which lines are found. */
export const linesKindOf = (name: string): string => kindOf(name, 'lines');

export const rowOf = <T extends object>(
  work: Pick<Work<T>, 'name' | 'expiresAt'>,
  { id, line, task, dueAt, claimedBy }: Piece<T> & Pick<Outcome<T>, 'dueAt'> & { readonly claimedBy?: string },
  expected: VaultWrite['expected'],
): VaultWrite => {
  const expires = work.expiresAt?.(task);
  return {
    kind: kindOf(work.name, line),
    id,
    value: claimedBy === undefined ? task : { ...task, claimedBy },
    expected,
    ...(expected === 'absent' && { firstVersion: newVersion() }),
    ...(dueAt !== undefined && { dueAt }),
    ...(expires !== undefined && { expiresAt: expires }),
  };
};

/** Works off the due rows of one line, the oldest first. */
export class WorkLine<T extends object> {
  private readonly places: Slots;
  private readonly inFlight = new Map<string, Promise<void>>();
  /** Due and not begun yet, the oldest first. */
  private readonly ready: { readonly row: VaultRow; readonly handed: boolean }[] = [];
  private draining: Promise<void> | undefined;
  /** Rows may be due that are not in `ready`; so it is while they are being read. */
  private behind = false;
  private askedMeanwhile = false;
  /** Whether what was done last has to be done again. */
  private isFailing = false;

  constructor(
    private readonly name: string,
    private readonly surroundings: LineSurroundings<T>,
  ) {
    this.places = new Slots(surroundings.work.perLine);
  }

  get idle(): boolean {
    return this.draining === undefined && this.inFlight.size === 0;
  }

  /** Works on what is due now. */
  look(): void {
    this.behind = true;
    this.askedMeanwhile = true;
    this.run();
  }

  /** Works on rows that are due and were stored this moment; what is older and not read yet goes first. */
  take(rows: readonly VaultRow[]): void {
    const { room } = this.surroundings;
    if (this.behind || this.ready.length + rows.length > HANDED || room.free < rows.length) {
      this.look();
      return;
    }
    room.free -= rows.length;
    for (const row of rows) this.ready.push({ row, handed: true });
    this.run();
  }

  private run(): void {
    this.draining ??= this.drain().finally(() => {
      this.draining = undefined;
      // Whoever asked after the last look at what is due is not forgotten.
      if ((this.behind || this.ready.length > 0) && !this.surroundings.stopping.aborted) this.run();
      else if (this.idle) this.surroundings.onIdle(this.name);
    });
  }

  /** Once all that was known to be due has been worked on. */
  async ended(): Promise<void> {
    while (!this.idle) await Promise.all([this.draining, ...this.inFlight.values()]);
  }

  private async drain(): Promise<void> {
    const { services, stopping } = this.surroundings;
    try {
      while (!stopping.aborted) {
        const next = this.ready.shift();
        if (next?.handed) this.surroundings.room.free += 1;
        if (next) await this.begin(next.row);
        else if (this.behind) await this.readDue();
        else return;
      }
    } catch (error) {
      this.behind = false;
      services.onError(error);
      this.surroundings.onPostponed(this.name, services.clock.now() + LONGEST_PAUSE);
    }
  }

  private async readDue(): Promise<void> {
    this.askedMeanwhile = false;
    const page = await this.duePage();
    for (const row of page) this.ready.push({ row, handed: false });
    this.behind = page.length === PAGE || this.askedMeanwhile;
  }

  private async duePage(): Promise<readonly VaultRow[]> {
    const { services, work } = this.surroundings;
    // As of before the read: what is finished meanwhile may still look due in it.
    const inFlight = new Set(this.inFlight.keys());
    const due = await services.vault.due(kindOf(work.name, this.name), services.clock.now(), PAGE + inFlight.size);
    return due.filter(({ id }) => !inFlight.has(id)).slice(0, PAGE);
  }

  private async begin(row: VaultRow): Promise<void> {
    const { slots, slotsOfFailing, stopping, services } = this.surroundings;
    await this.places.take();
    const taken = this.isFailing ? [slotsOfFailing, slots] : [slots];
    for (const some of taken) await some.take();
    const leave = () => {
      for (const some of taken) some.give();
      this.places.give();
    };
    if (stopping.aborted) {
      leave();
      return;
    }
    const working = this.workOn(row)
      .catch((error: unknown) => {
        services.onError(error);
      })
      .finally(() => {
        this.inFlight.delete(row.id);
        leave();
        if (this.idle) this.surroundings.onIdle(this.name);
      });
    this.inFlight.set(row.id, working);
  }

  private async workOn(row: VaultRow): Promise<void> {
    const { work, services, ending } = this.surroundings;
    const { clock } = services;
    const task = work.task.parse(row.value);
    const item = { id: row.id, line: this.name, task };
    const claimed = services.alone ? { version: row.version, until: Infinity } : await this.claim(row.version, item);
    // A process that was stopped after its claim may wake when others have the row already.
    if (!claimed || clock.now() >= claimed.until) return;
    const began = performance.now();
    let outcome: Outcome<T>;
    try {
      outcome = await work.work({ ...item, signal: ending, until: claimed.until });
      services.onWorked?.(work.name, outcome.task === undefined ? 'done' : 'again', performance.now() - began);
    } catch (error) {
      if (ending.aborted) return;
      services.onWorked?.(work.name, 'failed', performance.now() - began);
      services.onError(error);
      outcome = { task, dueAt: clock.now() + work.leaseMilliseconds };
    }
    this.isFailing = outcome.dueAt !== undefined;
    await this.record(item, claimed.version, outcome);
    if (outcome.dueAt !== undefined) this.surroundings.onPostponed(this.name, outcome.dueAt);
  }

  /** Undefined when another was faster. The version that the row gets is the fencing number of whoever works on it. */
  private async claim(
    version: number,
    item: Piece<T>,
  ): Promise<{ readonly version: number; readonly until: number } | undefined> {
    const { work, services } = this.surroundings;
    const until = services.clock.now() + work.leaseMilliseconds;
    const row = rowOf(work, { ...item, dueAt: until, claimedBy: services.holder }, version);
    return (await services.vault.write([row])) ? { version: version + 1, until } : undefined;
  }

  /** Changes nothing when the row is another's by now. A vault that is away is tried again: what was done must not be done twice. */
  private async record({ id, line }: Piece<T>, version: number, outcome: Outcome<T>): Promise<void> {
    const { task, dueAt } = outcome;
    const { work, services, ending } = this.surroundings;
    const row =
      task === undefined
        ? { kind: kindOf(work.name, line), id, value: undefined, expected: version }
        : rowOf(work, { id, line, task, ...(dueAt !== undefined && { dueAt }) }, version);
    for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      try {
        await this.surroundings.gathered();
        await services.vault.write([row]);
        return;
      } catch (error) {
        services.onError(error);
        if (ending.aborted) return;
        await pauseUntilAborted(wait, ending);
      }
    }
  }
}
