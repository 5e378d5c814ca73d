import type { VaultWrite } from '../../ports/vault.js';
import { grouped } from '../values/grouped.js';
import { pauseUntilAborted } from '../values/pause.js';
import { Slots } from './slots.js';
import type { Work, WorkServices } from './work-line.js';
import { rowPagesOf } from '../patterns/vault-rows.js';
import { kindOf, linesKindOf, rowOf, STEPS_TAKE, WorkLine } from './work-line.js';

const ALL_LINES_AT_ONCE = 1_000;
const FAR = Number.MAX_SAFE_INTEGER;
/** How far ahead a look at the lines plans. */
const AHEAD = 65_000;
const POLL_ALONE = 30_000;
const POLL_SHARED = 1_000;
/** So long after its last work a line is written off. */
const QUIET = 1_000;
/** What nobody has touched for so long is forgotten; longer than anything waits. */
const LINE_LIVES = 40 * 86_400_000;
const PATIENCE_AT_CLOSE = 8_000;
/** So many rows that need not be read back wait in memory, in all lines together. */
const HANDED_IN_ALL = 4_096;
/** Outcomes of so long are written together: one flush to disk for many. */
const GATHERED_FOR = 5;

interface QueueOptions<T extends object> extends Work<T> {
  /** The only lines, where they are known beforehand; otherwise each is announced with its rows. */
  readonly fixedLines?: readonly string[];
}

/**
 * Work that is written down in vault rows and done afterwards: no crash loses it, and what fails is tried again. Rows stand in lines (one
 * for each receiver, say), and a slow line delays no other. A line is found by a row of its own, which is due when one of its rows may be.
 */
export class WorkQueue<T extends object> {
  private readonly lines = new Map<string, WorkLine<T>>();
  private readonly timers = new Map<string, { readonly at: number; readonly timer: NodeJS.Timeout }>();
  private readonly stopping = new AbortController();
  private readonly ending = new AbortController();
  private readonly slots: Slots;
  /** However many receivers never answer, half of the places are left to those that do. */
  private readonly slotsOfFailing: Slots;
  private readonly settling = new Set<Promise<void>>();
  private readonly room = { free: HANDED_IN_ALL };
  private gathering: Promise<void> | undefined;
  private polling: Promise<void> | undefined;

  constructor(
    private readonly options: QueueOptions<T>,
    private readonly services: WorkServices,
  ) {
    this.slots = new Slots(options.atOnce);
    this.slotsOfFailing = new Slots(Math.max(options.perLine, Math.floor(options.atOnce / 2)));
  }

  /** The row of a piece of work, to be stored with the fact that it follows from. */
  row(
    work: { readonly id: string; readonly line?: string; readonly task: T; readonly dueAt?: number },
    expected: VaultWrite['expected'] = 'absent',
  ): VaultWrite {
    return rowOf(this.options, { line: '', ...work }, expected);
  }

  /**
   * Rows of these lines with what they are found by, in the order in which they are stored. Where a vault writes row by row, whoever stores
   * them may die after any: the lines are due a while later all the same, as who comes after may not know of those rows.
   */
  findable(rows: readonly VaultWrite[], lines: Iterable<string>): readonly VaultWrite[] {
    const { vault, clock } = this.services;
    const known = [...new Set(lines)];
    const later = vault.atomic ? [] : known.map((line) => this.lineRow(line, 'any', clock.now() + STEPS_TAKE));
    return [...later, ...rows, ...this.announce(known)];
  }

  /** To be stored after the rows of these lines, so that whoever works finds them. */
  announce(lines: Iterable<string>): readonly VaultWrite[] {
    return [...new Set(lines)].map((line) => this.lineRow(line, 'any', this.services.clock.now()));
  }

  /** Works on what is due in these lines, at once. */
  wake(lines: Iterable<string> = this.options.fixedLines ?? []): void {
    for (const line of lines) this.look(line);
  }

  /** Works on rows that are due and that one write stored this moment, all of them expected absent: they need not be read back. */
  takeStored(rows: readonly VaultWrite[]): void {
    if (this.stopping.signal.aborted) return;
    const prefix = `${this.options.name}-`;
    for (const [kind, ofKind] of grouped(rows, (row) => row.kind)) {
      if (kind === this.linesKind || !kind.startsWith(prefix)) continue;
      const stored = ofKind.flatMap(({ firstVersion, ...row }) =>
        firstVersion === undefined ? [] : [{ ...row, version: firstVersion }],
      );
      this.lineOf(kind.slice(prefix.length)).take(stored);
    }
  }

  get isStarted(): boolean {
    return this.polling !== undefined;
  }

  /** From now on finds by itself what is due. */
  start(): void {
    this.polling ??= Promise.all([this.poll(), this.bringForward()]).then(() => undefined);
  }

  /** Once all that is known to be due has been worked on. */
  async idle(): Promise<void> {
    const busy = () => [...this.lines.values()].filter((line) => !line.idle);
    while (busy().length > 0) await Promise.all(busy().map((line) => line.ended()));
  }

  async close(patienceInMilliseconds = PATIENCE_AT_CLOSE): Promise<void> {
    this.stopping.abort();
    for (const { timer } of this.timers.values()) clearTimeout(timer);
    const patience = setTimeout(() => {
      this.ending.abort();
    }, patienceInMilliseconds);
    await Promise.all([this.polling, this.idle(), ...this.settling]);
    clearTimeout(patience);
    this.ending.abort();
  }

  private look(name: string): void {
    if (!this.stopping.signal.aborted) this.lineOf(name).look();
  }

  private lineOf(name: string): WorkLine<T> {
    let line = this.lines.get(name);
    if (!line) this.lines.set(name, (line = this.open(name)));
    return line;
  }

  private gathered(): Promise<void> {
    this.gathering ??= new Promise((resolve) =>
      setTimeout(() => {
        this.gathering = undefined;
        resolve();
      }, GATHERED_FOR),
    );
    return this.gathering;
  }

  private open(name: string): WorkLine<T> {
    return new WorkLine(name, {
      work: this.options,
      services: this.services,
      slots: this.slots,
      slotsOfFailing: this.slotsOfFailing,
      room: this.room,
      gathered: () => this.gathered(),
      stopping: this.stopping.signal,
      ending: this.ending.signal,
      onPostponed: (line, dueAt) => {
        this.lookAt(line, dueAt);
      },
      onIdle: (line) => {
        this.settleAfter(line, QUIET);
      },
    });
  }

  /** Looks at a line at that time, unless it does so earlier anyway. */
  private lookAt(line: string, at: number): void {
    const planned = this.timers.get(line);
    if (this.stopping.signal.aborted || (planned && planned.at <= at)) return;
    this.plan(line, at, () => {
      this.look(line);
    });
  }

  private plan(key: string, at: number, act: () => void): void {
    clearTimeout(this.timers.get(key)?.timer);
    const wait = Math.min(Math.max(0, at - this.services.clock.now()), AHEAD);
    const timer = setTimeout(() => {
      this.timers.delete(key);
      act();
    }, wait).unref();
    this.timers.set(key, { at, timer });
  }

  private settleAfter(line: string, wait: number): void {
    const key = `settle ${line}`;
    if (this.stopping.signal.aborted || this.timers.has(key)) return;
    this.plan(key, this.services.clock.now() + wait, () => {
      const settled = this.settle(line)
        .catch((error: unknown) => {
          this.services.onError(error);
          this.lookAt(line, this.services.clock.now() + POLL_ALONE);
        })
        .finally(() => this.settling.delete(settled));
      this.settling.add(settled);
    });
  }

  /**
   * Writes down when the next row of an idle line is due, or somebody may be storing rows of it until. Whoever adds one meanwhile changes the
   * line's row first: then it looks again.
   */
  private async settle(name: string): Promise<void> {
    const { vault, clock } = this.services;
    if (this.lines.get(name)?.idle !== true) return;
    const known = this.isFixed(name) ? undefined : await vault.get(this.linesKind, name);
    const [next] = await vault.due(kindOf(this.options.name, name), FAR, 1);
    if (next?.dueAt !== undefined && next.dueAt <= clock.now()) {
      this.look(name);
      return;
    }
    const later = [next?.dueAt, known?.dueAt].flatMap((at) => (at !== undefined && at > clock.now() ? [at] : []));
    const dueAt = later.length === 0 ? undefined : Math.min(...later);
    if (!this.isFixed(name) && known?.dueAt !== dueAt) {
      const settled = await vault.write([this.lineRow(name, known?.version ?? 'absent', dueAt)]);
      if (!settled) {
        this.look(name);
        return;
      }
    }
    if (dueAt !== undefined) this.lookAt(name, dueAt);
    if (this.lines.get(name)?.idle === true) this.lines.delete(name);
  }

  /** What was put off by a clock that was ahead and has been set right since would wait until the time that it showed. */
  private async bringForward(): Promise<void> {
    const { services, options } = this;
    const { longestWait } = options;
    if (!services.alone || longestWait === undefined) return;
    try {
      const latest = services.clock.now() + longestWait;
      for (const line of await this.knownLines()) {
        for await (const rows of rowPagesOf(services.vault, kindOf(options.name, line))) {
          if (this.stopping.signal.aborted) return;
          const late = rows.filter(({ dueAt = 0 }) => dueAt > latest);
          for (const { id, version, value } of late) {
            const again = { id, line, task: options.task.parse(value), dueAt: services.clock.now() };
            await services.vault.write([rowOf(options, again, version)]);
          }
          if (late.length === 0) continue;
          if (!this.isFixed(line)) await services.vault.write(this.announce([line]));
          this.wake([line]);
        }
      }
    } catch (error) {
      services.onError(error);
    }
  }

  private async knownLines(): Promise<readonly string[]> {
    const found: string[] = [...(this.options.fixedLines ?? [])];
    if (this.options.fixedLines) return found;
    for await (const rows of rowPagesOf(this.services.vault, this.linesKind)) found.push(...rows.map(({ id }) => id));
    return found;
  }

  private async poll(): Promise<void> {
    const { services } = this;
    while (!this.stopping.signal.aborted) {
      try {
        await this.lookAround();
      } catch (error) {
        services.onError(error);
      }
      await pauseUntilAborted(services.alone ? POLL_ALONE : POLL_SHARED, this.stopping.signal);
    }
  }

  /** Begins what is due in any line, and plans what soon will be. */
  async lookAround(): Promise<void> {
    const { fixedLines } = this.options;
    if (fixedLines) {
      this.wake(fixedLines);
      return;
    }
    const { vault, clock } = this.services;
    const limit = ALL_LINES_AT_ONCE + this.lines.size;
    for (const { id, dueAt = 0 } of await vault.due(this.linesKind, clock.now() + AHEAD, limit)) {
      if (dueAt <= clock.now()) this.look(id);
      else this.lookAt(id, dueAt);
    }
  }

  private isFixed(line: string): boolean {
    return this.options.fixedLines?.includes(line) ?? false;
  }

  private get linesKind(): string {
    return linesKindOf(this.options.name);
  }

  private lineRow(line: string, expected: VaultWrite['expected'], dueAt: number | undefined): VaultWrite {
    const expiresAt = Math.max(this.services.clock.now(), dueAt ?? 0) + LINE_LIVES;
    return { kind: this.linesKind, id: line, value: {}, expected, expiresAt, ...(dueAt !== undefined && { dueAt }) };
  }
}
