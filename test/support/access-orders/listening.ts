import { EventEmitter } from 'node:events';
import { PositionTokens } from '../../../src/kernel/routes/position-tokens.js';
import type { Credentials } from '../../../src/kernel/routes/credentials.js';
import type { OpenStream } from '../../../src/kernel/routes/route.js';
import type { Position } from '../../../src/ports/event-store.js';
import { TOKEN_SECRET } from '../request-orders/ground.js';
import type { ServiceProcess } from '../request-orders/service-process.js';
import type { Given, People } from './people.js';
import { callerOf } from './people.js';

/** A busy store is told of at once, and not after so long, or longer by what telling took: how many others come before, no clock tells. */
const PAUSE = 200;
const isPause = (milliseconds: number): boolean => milliseconds === PAUSE || !Number.isInteger(milliseconds);
const { setTimeout: later } = globalThis;
Object.assign(globalThis, {
  setTimeout: (work: () => void, milliseconds = 0, ...rest: readonly unknown[]) =>
    isPause(milliseconds) ? setImmediate(work) : later(work, milliseconds, ...rest),
});

/** Who follows what changes in a store, and what they were told. */

const TOKENS = new PositionTokens(TOKEN_SECRET);
const positionOf = (id: string): Position => TOKENS.open(id) ?? '';

/** The client's side of an open stream, which sometimes takes nothing for a while. */
class Line extends EventEmitter {
  writableNeedDrain = false;
  isOver = false;

  constructor(private readonly hear: (text: string) => void) {
    super();
  }

  write(text: string): boolean {
    this.hear(text);
    return true;
  }

  end(): this {
    if (!this.isOver) this.emit('close');
    this.isOver = true;
    return this;
  }
}

interface Told {
  /** Undefined: anything may have changed. */
  readonly kinds: readonly string[] | undefined;
  readonly id: Position;
}

export class Listener {
  readonly told: Told[] = [];
  /** Where in the log it began. */
  began: Position | undefined;
  line: Line | undefined;
  process: ServiceProcess | undefined;
  private lastId: string | undefined;

  constructor(
    private readonly people: People,
    readonly session: Given,
  ) {}

  get isOpen(): boolean {
    return this.line?.isOver === false && this.process?.isDead === false;
  }

  /** Begins, or goes on where its last connection broke off. */
  connect(): void {
    const { people, session } = this;
    this.leave();
    people.start(`listen in ${session.sid.slice(-4)}`, async (process) => {
      const principal = await process.authentication.authenticate(callerOf(session) as unknown as Credentials);
      if (principal.storeId !== session.storeId) people.faults.push('a session listens to another store');
      this.leave();
      const line = new Line((text) => {
        if (line === this.line && !process.isDead) this.hear(text);
      });
      [this.line, this.process] = [line, process];
      process.live.watch(principal, this.lastId, line as unknown as OpenStream);
      return 200;
    });
  }

  leave(): void {
    this.line?.end();
  }

  /** The client takes nothing, or takes it again. */
  pause(): void {
    const { line } = this;
    if (!line) return;
    line.writableNeedDrain = !line.writableNeedDrain;
    if (!line.writableNeedDrain) line.emit('drain');
  }

  /** Takes what it has not taken, or comes back, unless its session has ended. */
  comeToRest(): void {
    if (this.isOpen && this.line?.writableNeedDrain === true) this.pause();
    if (!this.isOpen && !this.session.ended) this.connect();
  }

  private hear(text: string): void {
    const id = /^id: (.*)$/m.exec(text)?.[1];
    if (id === undefined) return;
    // A client that comes back says what it got last.
    this.lastId = id;
    this.began ??= positionOf(id);
    const data = /^data: (.*)$/m.exec(text)?.[1];
    if (data === undefined) return;
    const { collections } = JSON.parse(data) as { readonly collections?: readonly string[] };
    this.told.push({ kinds: collections, id: positionOf(id) });
  }
}
